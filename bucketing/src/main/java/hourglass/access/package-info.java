/** Who sends a request and what is allowed to it. Begin with {@link hourglass.access.Client}. */
@NullMarked
package hourglass.access;

import org.jspecify.annotations.NullMarked;
