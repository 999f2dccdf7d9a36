/**
 * The data directory: file names, lock, and changes of the disk. Begin with {@code StoreFiles} and
 * {@code Disk}.
 */
@NullMarked
package hourglass.store.embedded.disk;

import org.jspecify.annotations.NullMarked;
