package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.core.OS;
import net.openhft.chronicle.hash.Data;
import net.openhft.chronicle.hash.impl.BigSegmentHeader;
import net.openhft.chronicle.hash.impl.VanillaChronicleHash;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import net.openhft.chronicle.map.ExternalMapQueryContext;
import net.openhft.chronicle.map.MapEntry;
import net.openhft.posix.MAdviseFlag;
import net.openhft.posix.PosixAPI;
import org.jspecify.annotations.Nullable;

/**
 * A persisted Chronicle Map from (row, page) to a page: one generation of an hour.
 *
 * <p>Entries are never overwritten or removed, because a power cut could damage forced bytes that
 * were written over. Whole files are deleted instead. Thread-safe.
 */
public final class PageMap implements Closeable {
  public static final int PAGES_MAX = 7_372;

  /** The position of a value that can only be found by its key. */
  static final long BY_KEY = -1;

  private static final int ENTRIES = 8_192;

  /** The most bytes of pages in a map. The sparse file is about twice as long. */
  static final long BYTES_MAX = 200L << 20;

  private static final int PAGE_BYTES_AVERAGE = 32 << 10;
  private static final int KEY_BYTES_AVERAGE = 48;

  /**
   * The unit of space in a map. It is small, since rows with few columns make small pages, and each
   * page wastes half a chunk.
   */
  private static final int CHUNK_BYTES = 512;

  /**
   * The factor by which a segment may grow beyond its share, since there is only one for all keys.
   */
  private static final double BLOAT_MAX = 4;

  private static final int HEADER_LENGTH_AT = 8;
  private static final int HEADER_LENGTH_MASK = 0x3fff_ffff;
  private static final int NOT_COMPLETE = 0x8000_0000;

  /**
   * The longest header that is accepted. Settings need less than 2 KiB, and Chronicle Map allocates
   * any length that the file states.
   */
  private static final int HEADER_LENGTH_MAX = 64 << 10;

  private final Path file;
  private final ChronicleMap<byte[], byte[]> map;

  /**
   * The mapped length. It is kept, since damage of the file could later make it exceed the mapping.
   */
  private final long mappedBytes;

  private PageMap(Path file, ChronicleMap<byte[], byte[]> map) {
    this.file = file;
    this.map = map;
    this.mappedBytes = hash(map).sizeInBytesWithoutTiers();
  }

  private static VanillaChronicleHash<?, ?, ?, ?> hash(ChronicleMap<byte[], byte[]> map) {
    return (VanillaChronicleHash<?, ?, ?, ?>) map;
  }

  static PageMap create(Path file) throws IOException {
    return new PageMap(file, builder(file).createPersistedTo(file.toFile()));
  }

  /**
   * Opens a map, even one that was not closed. Chronicle Map's own recovery is not used: on a
   * damaged file, it could read outside the mapping or never end. Listed pages were forced and are
   * whole. Throws CorruptException, or UnavailableException if the file cannot be opened.
   */
  static PageMap open(Path file) {
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
   * Releases the map's own lock, which the directory lock makes needless. A lock that a crash left
   * would delay each read by a minute.
   */
  private static void letGo(ChronicleMap<byte[], byte[]> map) {
    BigSegmentHeader.INSTANCE.resetLock(hash(map).segmentHeaderAddress(0));
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
   * Clears the bit that marks a map as incomplete. Chronicle Map would wait a minute for another
   * process to complete it. The directory is locked, so only a crash or damage can have left the
   * bit.
   *
   * <pre>
   *  0              8                       12
   * +--------------+-----------------------+------- - -
   * | checksum     | bit 31: not complete  | the map's settings
   * |              | length of the settings| as text
   * +--------------+-----------------------+------- - -   little-endian
   * </pre>
   *
   * @return whether the bit was set: no more pages may be put into such a map
   * @throws CorruptException if the file has no valid header
   */
  static boolean completeHeader(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      int read = channel.read(word, HEADER_LENGTH_AT);
      int length = read < Integer.BYTES ? 0 : word.getInt(0) & HEADER_LENGTH_MASK;
      long lengthMax =
          Math.min(HEADER_LENGTH_MAX, channel.size() - HEADER_LENGTH_AT - Integer.BYTES);
      if (length == 0 || length > lengthMax) {
        throw new CorruptException(
            file + ": offset " + HEADER_LENGTH_AT + ": no header; restore the file");
      }
      if ((word.getInt(0) & NOT_COMPLETE) == 0) {
        return false;
      }
      word.putInt(0, word.getInt(0) & ~NOT_COMPLETE).rewind();
      channel.write(word, HEADER_LENGTH_AT);
      return true;
    }
  }

  /** Puts a value, and returns its position in the file, or {@link #BY_KEY}. */
  long put(RowKey row, long number, byte[] value) {
    map.put(key(row, number), value);
    try (ExternalMapQueryContext<byte[], byte[], ?> context = map.queryContext(key(row, number))) {
      context.readLock().lock();
      return position(context.entry());
    }
  }

  /**
   * Returns the position of a value, which is known if it is in the first mapping. That one begins
   * with the file; the pieces that the file gains as it grows are mapped elsewhere.
   */
  private long position(MapEntry<byte[], byte[]> entry) {
    Data<byte[]> value = entry.value();
    long from = value.bytes().addressForRead(value.offset()) - hash(map).bsAddress();
    return from >= 0 && from <= mappedBytes - value.size() ? from : BY_KEY;
  }

  boolean has(RowKey row, long number) {
    return map.containsKey(key(row, number));
  }

  /**
   * Returns a value; null if the entry is absent.
   *
   * @param length the listed length of the value
   * @throws CorruptException if the value has another length; the message contains no names
   */
  byte @Nullable [] get(RowKey row, long number, int length) {
    try (ExternalMapQueryContext<byte[], byte[], ?> context = map.queryContext(key(row, number))) {
      context.readLock().lock();
      MapEntry<byte[], byte[]> entry = context.entry();
      if (entry == null) {
        return null;
      }
      if (entry.value().size() != length) { // checked before an array is allocated
        throw new CorruptException("not the one listed");
      }
      return entry.value().get();
    }
  }

  private static byte[] key(RowKey row, long number) {
    return (row + "|" + number).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Removes the mapped bytes from the process's memory. The file keeps them, including those that
   * were not forced yet; the next use maps them again. Other threads may read and put meanwhile.
   */
  void release() {
    if (OS.isLinux()) { // elsewhere the advice may mean something else
      PosixAPI.posix().madvise(hash(map).bsAddress(), mappedBytes, MAdviseFlag.MADV_DONTNEED);
    }
  }

  Path file() {
    return file;
  }

  @Override
  public void close() {
    map.close();
  }
}
