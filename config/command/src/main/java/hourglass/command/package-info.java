/**
 * The options, tables and progress that the commands of the terminal and of the load generator
 * share. Begin with {@link hourglass.command.CommandTask}.
 */
@NullMarked
package hourglass.command;

import org.jspecify.annotations.NullMarked;
