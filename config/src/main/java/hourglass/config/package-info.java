/**
 * The settings of a process: every key, from file, environment and command line. Begin with {@link
 * hourglass.config.Settings}.
 */
@NullMarked
package hourglass.config;

import org.jspecify.annotations.NullMarked;
