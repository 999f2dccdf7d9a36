/** Clients and their permissions, limits and quotas. Begin with {@link hourglass.access.Client}. */
@NullMarked
package hourglass.access;

import org.jspecify.annotations.NullMarked;
