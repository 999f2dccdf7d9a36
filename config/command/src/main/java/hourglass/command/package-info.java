/**
 * The options and the progress that the commands of the terminal and of the load generator share.
 * Begin with {@link hourglass.command.OptionTypes}.
 */
@NullMarked
package hourglass.command;

import org.jspecify.annotations.NullMarked;
