package hourglass.query.tail;

import hourglass.query.Selection;
import org.jspecify.annotations.Nullable;

/** The events that a tail selects in any range, from {@code after}, {@code sinceTicks}, or now. */
public record TailQuery(
    Selection selection, @Nullable Long sinceTicks, @Nullable TailPosition after) {}
