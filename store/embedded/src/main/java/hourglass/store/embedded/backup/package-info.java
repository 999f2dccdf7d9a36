/**
 * Checks of data directories that no process has open, and backups. Begin with {@code StoreCheck}.
 */
@NullMarked
package hourglass.store.embedded.backup;

import org.jspecify.annotations.NullMarked;
