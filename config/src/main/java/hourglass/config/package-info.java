/** The program: settings, the composition root, and the command line. */
@NullMarked
package hourglass.config;

import org.jspecify.annotations.NullMarked;
