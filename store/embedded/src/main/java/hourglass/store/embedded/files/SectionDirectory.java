package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.NameRanges;
import hourglass.store.RowEntry;
import hourglass.store.embedded.frames.RecordBuffer;
import hourglass.store.rows.MinuteCounts;
import hourglass.store.rows.ValueIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The list of a section's pages and indexes, and of what it changes in earlier sections of its
 * hour; little-endian. See docs/page-file-format.md.
 *
 * <pre>
 * PAGE     1 | row | page 8 | position 8 | stored bytes 4 | checksum 4 | count 4
 *            | payload bytes 8 | first 16 | last 16 | group 8 | minutes
 * NAMED    2 | as PAGE | ranges 1 | ranges times: from 8 | to 8
 * INDEX    3 | row | index 8 | position 8 | stored bytes 4 | checksum 4
 *            | pages 4 | pages times: page 8
 * REMOVED  4 | page 8
 * SEALED   5 | row | columns 8 | bytes 8 | first 16 | last 16 | digest 8 | minutes
 *            | marks 4 | marks times: writer length 4, writer UTF-8, value 8
 *
 * row      shard 4 | type length 4 | type UTF-8
 * minutes  from 1 | length 1 | length times: count 4
 * </pre>
 */
final class SectionDirectory {
  private static final byte PAGE = 1;
  private static final byte NAMED = 2;
  private static final byte INDEX = 3;
  private static final byte REMOVED = 4;
  private static final byte SEALED = 5;

  private SectionDirectory() {}

  /** An entry of a directory, in the order of the file. */
  sealed interface Entry {}

  record Added(PageMeta page) implements Entry {}

  record Indexed(IndexMeta index) implements Entry {}

  /** A page of an earlier section that is replaced. */
  record Removed(long page) implements Entry {}

  record Sealed(RowKey row, Manifest manifest) implements Entry {}

  static byte[] encode(List<? extends Entry> entries) {
    RecordBuffer out = new RecordBuffer();
    for (Entry entry : entries) {
      if (entry instanceof Added added) {
        writePage(out, added.page());
      } else if (entry instanceof Indexed indexed) {
        writeIndex(out, indexed.index());
      } else if (entry instanceof Removed removed) {
        out.putByte(REMOVED);
        out.putLong(removed.page());
      } else if (entry instanceof Sealed sealed) {
        writeSealed(out, sealed.row(), sealed.manifest());
      }
    }
    return out.toBytes();
  }

  /**
   * Passes on the entries of a directory.
   *
   * @throws RuntimeException if its bytes are no directory
   */
  static void decode(byte[] directory, Hour hour, long file, Consumer<Entry> sink) {
    ByteBuffer in = ByteBuffer.wrap(directory).order(ByteOrder.LITTLE_ENDIAN);
    while (in.hasRemaining()) {
      byte kind = in.get();
      switch (kind) {
        case PAGE -> sink.accept(new Added(readPage(in, hour, file, false)));
        case NAMED -> sink.accept(new Added(readPage(in, hour, file, true)));
        case INDEX -> sink.accept(new Indexed(readIndex(in, hour, file)));
        case REMOVED -> sink.accept(new Removed(in.getLong()));
        case SEALED -> sink.accept(new Sealed(readRow(in, hour), readManifest(in)));
        default -> throw new IllegalArgumentException("entry kind " + kind + " is unknown");
      }
    }
  }

  private static void writePage(RecordBuffer out, PageMeta page) {
    NameRanges names = page.count() == 1 ? null : page.names();
    out.putByte(names == null ? PAGE : NAMED);
    writePlace(out, page);
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

  private static void writeIndex(RecordBuffer out, IndexMeta index) {
    out.putByte(INDEX);
    writePlace(out, index);
    out.putInt(index.pages().size());
    for (long page : index.pages()) {
      out.putLong(page);
    }
  }

  private static void writePlace(RecordBuffer out, FileEntry entry) {
    writeRow(out, entry.row());
    out.putLong(entry.number());
    out.putLong(entry.position());
    out.putInt(entry.storedBytes());
    out.putInt(entry.checksum());
  }

  private static void writeSealed(RecordBuffer out, RowKey row, Manifest manifest) {
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

  private static void writeRow(RecordBuffer out, RowKey row) {
    out.putInt(row.shard());
    writeText(out, row.type());
  }

  private static void writeText(RecordBuffer out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putInt(bytes.length);
    out.putBytes(bytes, 0, bytes.length);
  }

  private static void writeName(RecordBuffer out, TimeUuid name) {
    out.putLong(name.ticks());
    out.putLong(name.lsb());
  }

  private static void writeMinutes(RecordBuffer out, MinuteCounts minutes) {
    out.putByte(minutes.from());
    out.putByte(minutes.counts().length);
    for (int count : minutes.counts()) {
      out.putInt(count);
    }
  }

  private static PageMeta readPage(ByteBuffer in, Hour hour, long file, boolean named) {
    return new PageMeta(
        readRow(in, hour),
        in.getLong(),
        file,
        readPosition(in),
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

  private static IndexMeta readIndex(ByteBuffer in, Hour hour, long file) {
    RowKey row = readRow(in, hour);
    long number = in.getLong();
    long position = readPosition(in);
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
    return new IndexMeta(row, number, file, position, storedBytes, checksum, numbers);
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

  private static RowKey readRow(ByteBuffer in, Hour hour) {
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

  private static @Nullable NameRanges readNames(ByteBuffer in) {
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
