/**
 * The data directory: its file names, its lock, and all changes of the disk. Begin with {@code
 * StoreFiles} and {@code Disk}.
 */
@NullMarked
package hourglass.store.embedded.disk;

import org.jspecify.annotations.NullMarked;
