package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.CorruptException;
import hourglass.store.Manifest;
import hourglass.store.NameRanges;
import hourglass.store.RowEntry;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.rows.MinuteCounts;
import hourglass.store.rows.ValueIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The list of an hour's pages, as a log. One thread at a time writes it. A listed page that is
 * missing is an error. Little-endian; see docs/inventory-format.md.
 *
 * <pre>
 * PLACED   6 | position 8
 * ADDED    1 | row | page 8 | generation 4 | stored bytes 4 | checksum 4 | count 4
 *            | payload bytes 8 | first 16 | last 16 | group 8 | minutes
 * NAMED    4 | as ADDED | ranges 1 | ranges times: from 8 | to 8
 * INDEXED  5 | row | index 8 | generation 4 | stored bytes 4 | checksum 4
 *            | pages 4 | pages times: page 8
 * REMOVED  2 | page 8
 * SEALED   3 | row | columns 8 | bytes 8 | first 16 | last 16 | digest 8 | minutes
 *            | marks 4 | marks times: writer length 4, writer UTF-8, value 8
 *
 * row      shard 4 | type length 4 | type UTF-8
 * minutes  from 1 | length 1 | length times: count 4
 * </pre>
 */
final class Inventory {
  private static final byte ADDED = 1;
  private static final byte REMOVED = 2;
  private static final byte SEALED = 3;
  private static final byte NAMED = 4;
  private static final byte INDEXED = 5;
  private static final byte PLACED = 6;

  private static final Logger logger = LoggerFactory.getLogger(Inventory.class);

  private final Disk disk;
  private final Path dir;
  private final Path path;
  private final Hour hour;
  private final ByteBuffer staging;
  private final long groupsMin;
  private long nextGroup = 1;

  /** The length of the valid part. The next append cuts off any bytes after it. */
  private volatile long durableBytes;

  /**
   * Creates an inventory that must contain at least {@code groupsMin} groups; {@link #load} reads
   * them.
   */
  Inventory(Disk disk, Path dir, Hour hour, ByteBuffer staging, long groupsMin) {
    this.disk = disk;
    this.dir = dir;
    this.path = StoreFiles.inventory(dir);
    this.hour = hour;
    this.staging = staging;
    this.groupsMin = groupsMin;
  }

  void load(
      Consumer<PageMeta> added,
      LongConsumer removed,
      Consumer<IndexMeta> indexed,
      BiConsumer<RowKey, Manifest> sealed)
      throws IOException {
    FrameReader reader =
        FileKind.FILE.isAt(path) ? FrameReader.open(path, FramePreamble.INVENTORY, -1, true) : null;
    if (reader == null) {
      refuseShorter(0, 0);
      disk.delete(path);
      return;
    }
    if (reader.preamble().number() != hour.epochHours()) {
      throw new CorruptException(path + ": belongs to another hour; restore it");
    }
    for (ByteBuffer group = reader.next(); group != null; group = reader.next()) {
      try {
        while (group.hasRemaining()) {
          byte kind = group.get();
          long position = PageMap.BY_KEY;
          if (kind == PLACED) {
            position = readPosition(group);
            kind = group.get();
          }
          switch (kind) {
            case ADDED -> added.accept(readPage(group, position, false));
            case NAMED -> added.accept(readPage(group, position, true));
            case INDEXED -> indexed.accept(readIndex(group, position));
            case REMOVED -> removed.accept(group.getLong());
            case SEALED -> sealed.accept(readRow(group), readManifest(group));
            default -> throw new IllegalArgumentException("record kind " + kind + " is unknown");
          }
        }
      } catch (RuntimeException e) {
        throw new CorruptException(
            path + ": before offset " + reader.goodEnd() + ": " + e + "; restore it", e);
      }
    }
    durableBytes = reader.goodEnd();
    nextGroup = reader.nextGroup();
    refuseShorter(nextGroup - 1, durableBytes);
    if (reader.tornBytes() > 0) {
      logger.info("{}: offset {}: an interrupted write is cut off", path, durableBytes);
      try (Disk.AppendFile file = disk.append(path)) {
        file.truncate(durableBytes);
        file.force();
      }
    }
  }

  /**
   * Refuses a file that is too short. A crash loses at most the last group, which is not in the
   * catalogue yet. If more is lost, the file is damaged.
   */
  private void refuseShorter(long groups, long offset) {
    if (groups < groupsMin) {
      throw new CorruptException(
          ("%s: offset %s: ends after group %s of %s; restore the file, or move %s away: the next"
                  + " start then says how to serve the rest")
              .formatted(path, offset, groups, groupsMin, dir));
    }
  }

  long groups() {
    return nextGroup - 1;
  }

  /** Appends all records or none; they are durable on return. */
  void append(FrameWriter.Body records) throws IOException {
    if (durableBytes == 0) {
      begin();
    }
    durableBytes = FrameWriter.append(disk, path, staging, durableBytes, nextGroup, records);
    nextGroup++;
  }

  private void begin() throws IOException {
    disk.delete(path); // left by a failed attempt
    Disk.AppendFile file = disk.create(path);
    try {
      FrameWriter writer =
          FrameWriter.begin(
              file,
              staging,
              new FramePreamble(FramePreamble.INVENTORY, hour.epochHours(), nextGroup, 0));
      writer.force();
      disk.forceDirectory(dir);
      durableBytes = writer.durableSize();
    } finally {
      QuietClose.quietly(file);
    }
  }

  long bytes() {
    return durableBytes;
  }

  static void writeAdded(FrameWriter out, PageMeta page) throws IOException {
    NameRanges names = page.count() == 1 ? null : page.names();
    writePosition(out, page);
    out.putByte(names == null ? ADDED : NAMED);
    writeRow(out, page.row());
    out.putLong(page.number());
    out.putInt(page.generation());
    out.putInt(page.storedBytes());
    out.putInt(page.checksum());
    out.putInt(page.count());
    out.putLong(page.payloadBytes());
    writeName(out, page.first());
    writeName(out, page.last());
    out.putLong(page.group());
    writeMinutes(out, page.minutes());
    if (names != null) {
      out.putByte(names.bounds().length / 2);
      for (long bound : names.bounds()) {
        out.putLong(bound);
      }
    }
  }

  static void writeIndexed(FrameWriter out, IndexMeta index) throws IOException {
    writePosition(out, index);
    out.putByte(INDEXED);
    writeRow(out, index.row());
    out.putLong(index.number());
    out.putInt(index.generation());
    out.putInt(index.storedBytes());
    out.putInt(index.checksum());
    out.putInt(index.pages().size());
    for (long page : index.pages()) {
      out.putLong(page);
    }
  }

  private static void writePosition(FrameWriter out, MapEntry entry) throws IOException {
    if (entry.isPlaced()) {
      out.putByte(PLACED);
      out.putLong(entry.position());
    }
  }

  static void writeRemoved(FrameWriter out, PageMeta page) throws IOException {
    out.putByte(REMOVED);
    out.putLong(page.number());
  }

  static void writeSealed(FrameWriter out, RowKey row, Manifest manifest) throws IOException {
    out.putByte(SEALED);
    writeRow(out, row);
    out.putLong(manifest.columns());
    out.putLong(manifest.bytes());
    writeName(out, manifest.first());
    writeName(out, manifest.last());
    out.putLong(manifest.digest());
    writeMinutes(out, MinuteCounts.ofAll(manifest.columnsByMinute()));
    out.putInt(manifest.marks().size());
    for (RowEntry.Mark mark : manifest.marks()) {
      writeText(out, mark.writer());
      out.putLong(mark.value());
    }
  }

  private static void writeRow(FrameWriter out, RowKey row) throws IOException {
    out.putInt(row.shard());
    writeText(out, row.type());
  }

  private static void writeText(FrameWriter out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length);
    out.putBytes(bytes, 0, bytes.length);
  }

  private static void writeName(FrameWriter out, TimeUuid name) throws IOException {
    out.putLong(name.ticks());
    out.putLong(name.lsb());
  }

  private static void writeMinutes(FrameWriter out, MinuteCounts minutes) throws IOException {
    out.putByte(minutes.from());
    out.putByte(minutes.counts().length);
    for (int count : minutes.counts()) {
      out.putInt(count);
    }
  }

  private PageMeta readPage(ByteBuffer in, long position, boolean named) {
    return new PageMeta(
        readRow(in),
        in.getLong(),
        in.getInt(),
        position,
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getLong(),
        readName(in),
        readName(in),
        in.getLong(),
        readMinutes(in),
        named ? readNames(in) : null);
  }

  private static long readPosition(ByteBuffer in) {
    long position = in.getLong();
    if (position < 0) {
      throw new IllegalArgumentException("position " + position + " is before the file");
    }
    return position;
  }

  private IndexMeta readIndex(ByteBuffer in, long position) {
    RowKey row = readRow(in);
    long number = in.getLong();
    int generation = in.getInt();
    int storedBytes = in.getInt();
    int checksum = in.getInt();
    int pages = in.getInt();
    if (pages < 1 || pages > ValueIndex.PAGES_MAX) {
      throw new IllegalArgumentException(
          "an index of " + pages + " pages, not 1 to " + ValueIndex.PAGES_MAX);
    }
    List<Long> numbers = new ArrayList<>(pages);
    for (int i = 0; i < pages; i++) {
      numbers.add(in.getLong());
    }
    return new IndexMeta(row, number, generation, position, storedBytes, checksum, numbers);
  }

  private static Manifest readManifest(ByteBuffer in) {
    long columns = in.getLong();
    long bytes = in.getLong();
    TimeUuid first = readName(in);
    TimeUuid last = readName(in);
    long digest = in.getLong();
    int[] minutes = readMinutes(in).all();
    List<RowEntry.Mark> marks = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      marks.add(new RowEntry.Mark(readText(in), in.getLong()));
    }
    return new Manifest(columns, bytes, first, last, digest, minutes, marks);
  }

  private RowKey readRow(ByteBuffer in) {
    int shard = in.getInt();
    return new RowKey(hour, readText(in), shard);
  }

  private static String readText(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("length: " + length + " of " + in.remaining() + " bytes");
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static TimeUuid readName(ByteBuffer in) {
    return new TimeUuid(in.getLong(), in.getLong());
  }

  private static NameRanges readNames(ByteBuffer in) {
    int ranges = in.get();
    if (ranges < 1 || ranges > NameRanges.RANGES_MAX) {
      throw new IllegalArgumentException(ranges + " ranges, not 1 to " + NameRanges.RANGES_MAX);
    }
    long[] bounds = new long[2 * ranges];
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] = in.getLong();
      if (i > 0 && bounds[i] < bounds[i - 1]) {
        throw new IllegalArgumentException("bound " + i + " of the names is before the last");
      }
    }
    return new NameRanges(bounds);
  }

  private static MinuteCounts readMinutes(ByteBuffer in) {
    int from = in.get();
    int[] counts = new int[in.get()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.getInt();
    }
    return new MinuteCounts(from, counts);
  }
}
