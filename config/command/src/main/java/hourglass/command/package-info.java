/**
 * What the commands of the terminal and of the load generator share. Start with {@link
 * hourglass.command.OptionTypes}.
 */
@NullMarked
package hourglass.command;

import org.jspecify.annotations.NullMarked;
