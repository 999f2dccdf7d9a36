/**
 * Every setting of a process, read and checked. Begin with {@link
 * hourglass.config.settings.Settings}.
 */
@NullMarked
package hourglass.config.settings;

import org.jspecify.annotations.NullMarked;
