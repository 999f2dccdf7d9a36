package hourglass.store.embedded.backup;

import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.CatalogueContent;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The files of a running store at one moment, which are kept as they are until this is closed. All
 * columns that were acknowledged before are in its page files. Immutable.
 *
 * @param parts the files of late arrivals, first times and erasures
 * @param missing the page files that the store misses, as a setting allows
 * @param hold releases the files
 */
public record StorePoint(
    StoreFiles files,
    CatalogueContent catalogue,
    long nextGroup,
    long settledTicks,
    List<Part> parts,
    Set<Long> missing,
    Runnable hold)
    implements Closeable {

  /** The valid begin of a file that grows. */
  public record Part(Path path, long bytes) {}

  public StorePoint {
    parts = List.copyOf(parts);
    missing = Set.copyOf(missing);
  }

  /** Takes a point of a store. */
  public interface Source {
    /**
     * Flushes what was acknowledged before, and takes a point.
     *
     * @throws hourglass.store.UnavailableException if it cannot be flushed, or the store is closing
     */
    StorePoint take();

    /** Whether the disk has files that were deleted, which a point or a query still reads. */
    boolean keepsDeletedFiles();
  }

  @Override
  public void close() {
    hold.run();
  }
}
