package hourglass.query.tail;

import org.jspecify.annotations.Nullable;

/**
 * The beginning of a tail that starts with old lines.
 *
 * @param sinceTicks null if it begins now
 * @param isWhole false if older lines may be missing
 */
public record TailStart(@Nullable Long sinceTicks, boolean isWhole) {}
