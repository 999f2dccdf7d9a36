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
 * <p>Entries are written once, and never overwritten or removed, because a power cut could damage
 * forced bytes that were written over. Whole files are deleted instead. Thread-safe.
 */
public final class PageMap implements Closeable {
  /** The most pages of a generation: 90 % of its entries. */
  public static final int PAGES_MAX = 7_372;

  private static final int ENTRIES = 8_192;

  /** The most bytes of pages in a generation; the sparse file is about twice as long. */
  static final long BYTES_MAX = 200L << 20;

  private static final int PAGE_BYTES_AVERAGE = 32 << 10;
  private static final int KEY_BYTES_AVERAGE = 48;

  /** Rows with few columns make small pages, and each page wastes half a chunk. */
  private static final int CHUNK_BYTES = 512;

  /** Lets a segment grow beyond its share, as few segments hold all keys. */
  private static final double BLOAT_MAX = 4;

  private final Path file;
  private final ChronicleMap<byte[], byte[]> map;

  private PageMap(Path file, ChronicleMap<byte[], byte[]> map) {
    this.file = file;
    this.map = map;
  }

  /** Creates a map in a new file. */
  static PageMap create(Path file) throws IOException {
    return new PageMap(file, builder(file).createPersistedTo(file.toFile()));
  }

  /**
   * Opens a map, even one that was not closed. Chronicle Map's own recovery is not used: on a
   * damaged file it could leave the mapping or never end. Listed pages were forced and are whole,
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
   * Resets the lock in the map's file. The directory lock makes it unnecessary, and one left by a
   * crash or by damage would delay each read by a minute.
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
