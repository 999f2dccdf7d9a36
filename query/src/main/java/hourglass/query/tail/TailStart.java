package hourglass.query.tail;

import org.jspecify.annotations.Nullable;

/**
 * Where a tail of old lines begins.
 *
 * @param sinceTicks null: now
 * @param isWhole false if older lines may be missing
 */
public record TailStart(@Nullable Long sinceTicks, boolean isWhole) {}
