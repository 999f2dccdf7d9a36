/**
 * The base of every subcommand: options, progress, failures and report files. Begin with {@link
 * hourglass.load.command.LoadTask}.
 */
@NullMarked
package hourglass.load.command;

import org.jspecify.annotations.NullMarked;
