/** Where random tests get their numbers. */
@NullMarked
package hourglass.seed;

import org.jspecify.annotations.NullMarked;
