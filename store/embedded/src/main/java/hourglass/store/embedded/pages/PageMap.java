package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import net.openhft.chronicle.hash.impl.BigSegmentHeader;
import net.openhft.chronicle.hash.impl.VanillaChronicleHash;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.jspecify.annotations.Nullable;

/**
 * One generation of an hour's sealed pages: a persisted Chronicle Map from (row, page) to a page.
 *
 * <p>Entries are written once, and never overwritten or removed: after a power cut, what was forced
 * is whole only where nothing was written over it since. Files are deleted whole. Thread-safe.
 */
public final class PageMap implements Closeable {
  /** The most pages a generation takes: full at 90 % of what it was made for. */
  public static final int PAGES_MAX = 7_372;

  private static final int ENTRIES = 8_192;

  /** The most bytes of pages a generation takes; the sparse file is about twice that long. */
  static final long BYTES_MAX = 200L << 20;

  private static final int PAGE_BYTES_AVERAGE = 32 << 10;
  private static final int KEY_BYTES_AVERAGE = 48;

  /** Quiet rows make small pages; half a chunk is lost with each. */
  private static final int CHUNK_BYTES = 512;

  /** Keys are spread over few segments, and a segment may grow by so much over its share. */
  private static final double BLOAT_MAX = 4;

  private final Path file;
  private final ChronicleMap<byte[], byte[]> map;

  private PageMap(Path file, ChronicleMap<byte[], byte[]> map) {
    this.file = file;
    this.map = map;
  }

  /** Makes a map in a file that is not there yet. */
  static PageMap create(Path file) throws IOException {
    return new PageMap(file, builder(file).createPersistedTo(file.toFile()));
  }

  /**
   * Opens a map. A map that was not closed is opened as it is. Chronicle Map's own recovery would
   * follow a damaged file out of the mapping, or for ever. Listed pages were forced and are whole,
   * and no others are read.
   *
   * @throws CorruptException naming the file and the remedy, if it is damaged
   * @throws UnavailableException naming the file, if it cannot be opened
   */
  static PageMap open(Path file) throws IOException {
    try {
      ChronicleMap<byte[], byte[]> map = builder(file).createPersistedTo(file.toFile());
      letGo(map);
      return new PageMap(file, map);
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("Header checksum")) {
        throw new CorruptException(cannotBeOpened(file, e), e);
      }
      throw new UnavailableException(cannotBeOpened(file, e), e);
    } catch (RuntimeException | AssertionError | InternalError e) {
      throw new CorruptException(cannotBeOpened(file, e), e);
    }
  }

  private static String cannotBeOpened(Path file, Throwable cause) {
    return file + ": cannot be opened: " + cause + "; restore it";
  }

  /**
   * Resets the map's lock, which is in the file and never held, since the directory has its own. A
   * lock that a crash or damage left would delay each read by a minute.
   */
  private static void letGo(ChronicleMap<byte[], byte[]> map) {
    long header = ((VanillaChronicleHash<?, ?, ?, ?>) map).segmentHeaderAddress(0);
    BigSegmentHeader.INSTANCE.resetLock(header);
  }

  private static ChronicleMapBuilder<byte[], byte[]> builder(Path file) {
    return ChronicleMapBuilder.of(byte[].class, byte[].class)
        .name(file.getFileName().toString())
        .entries(ENTRIES)
        .averageKeySize(KEY_BYTES_AVERAGE)
        .averageValueSize(PAGE_BYTES_AVERAGE)
        .actualChunkSize(CHUNK_BYTES)
        .actualSegments(1)
        .maxBloatFactor(BLOAT_MAX)
        .checksumEntries(true)
        .sparseFile(true);
  }

  /**
   * Adds a page.
   *
   * @throws IllegalStateException if the map is full
   */
  void put(RowKey row, long page, byte[] value) {
    map.put(key(row, page), value);
  }

  byte @Nullable [] get(RowKey row, long page) {
    return map.get(key(row, page));
  }

  boolean contains(RowKey row, long page) {
    return map.containsKey(key(row, page));
  }

  private static byte[] key(RowKey row, long page) {
    return (row + "|" + page).getBytes(StandardCharsets.UTF_8);
  }

  Path file() {
    return file;
  }

  @Override
  public void close() {
    map.close();
  }
}
