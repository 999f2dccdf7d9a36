/** Every setting of a process. Begin with {@link hourglass.config.settings.Settings}. */
@NullMarked
package hourglass.config.settings;

import org.jspecify.annotations.NullMarked;
