/** Every setting of a process. Begin with {@link hourglass.config.Settings}. */
@NullMarked
package hourglass.config;

import org.jspecify.annotations.NullMarked;
