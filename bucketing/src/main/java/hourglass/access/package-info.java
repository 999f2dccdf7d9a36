/** Who a client is, and what it may do. */
@NullMarked
package hourglass.access;

import org.jspecify.annotations.NullMarked;
