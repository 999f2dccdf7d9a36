package hourglass.query.tail;

import hourglass.query.Selection;
import org.jspecify.annotations.Nullable;

/**
 * The events that a tail selects, and its start.
 *
 * @param selection its range is ignored
 * @param sinceTicks time to start at; null: now
 * @param after position to resume at, which overrides {@code sinceTicks}; null: none
 */
public record TailQuery(
    Selection selection, @Nullable Long sinceTicks, @Nullable TailPosition after) {}
