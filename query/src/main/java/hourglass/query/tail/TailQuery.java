package hourglass.query.tail;

import hourglass.query.Selection;
import org.jspecify.annotations.Nullable;

/**
 * What a tail is about, and where it begins.
 *
 * @param selection which events; its range is not looked at
 * @param sinceTicks the time to begin at; null: now
 * @param after the position to go on from, which comes before both; null: none
 */
public record TailQuery(
    Selection selection, @Nullable Long sinceTicks, @Nullable TailPosition after) {}
