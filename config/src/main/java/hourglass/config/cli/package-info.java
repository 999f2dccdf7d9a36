/** The commands of the command line. Begin with {@link hourglass.config.cli.Main}. */
@NullMarked
package hourglass.config.cli;

import org.jspecify.annotations.NullMarked;
