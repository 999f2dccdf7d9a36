package hourglass.query.tail;

import hourglass.query.Selection;
import org.jspecify.annotations.Nullable;

/**
 * The events that a tail selects, in any range of time: from {@code after}, from {@code
 * sinceTicks}, or from now on.
 */
public record TailQuery(
    Selection selection, @Nullable Long sinceTicks, @Nullable TailPosition after) {}
