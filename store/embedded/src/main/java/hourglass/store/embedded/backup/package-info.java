/**
 * Points of a running store in a backup, restores of them, and checks of both. Begin with {@code
 * BackupRun}, {@code Restore} and {@code StoreCheck}.
 */
@NullMarked
package hourglass.store.embedded.backup;

import org.jspecify.annotations.NullMarked;
