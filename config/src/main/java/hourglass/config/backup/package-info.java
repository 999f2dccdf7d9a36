/** The commands that check, list and restore folders of the embedded engine, without a server. */
@NullMarked
package hourglass.config.backup;

import org.jspecify.annotations.NullMarked;
