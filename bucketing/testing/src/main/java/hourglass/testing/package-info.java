/** Where random tests get their numbers, and how long tests wait. */
@NullMarked
package hourglass.testing;

import org.jspecify.annotations.NullMarked;
