package hourglass.store.embedded.pages;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of an inventory, little-endian. See docs/inventory-format.md.
 *
 * <pre>
 * ADDED    1 | row | page 8 | generation 4 | stored bytes 4 | checksum 4 | count 4
 *            | payload bytes 8 | first 16 | last 16 | group 8 | minutes
 * REMOVED  2 | page 8
 * SEALED   3 | row | columns 8 | bytes 8 | first 16 | last 16 | digest 8 | minutes
 *            | marks 4 | marks times: writer length 4, writer UTF-8, value 8
 *
 * row      shard 4 | type length 4 | type UTF-8
 * minutes  from 1 | length 1 | length times: count 4
 * </pre>
 */
public final class InventoryRecord {
  private static final byte ADDED = 1;
  private static final byte REMOVED = 2;
  private static final byte SEALED = 3;

  /** Receives the records of an inventory in the order they were written. */
  public interface Sink {
    void added(PageMeta page);

    void removed(long page);

    void sealed(RowKey row, Manifest manifest);
  }

  private InventoryRecord() {}

  static void writeAdded(FrameWriter out, PageMeta page) throws IOException {
    out.putByte(ADDED);
    writeRow(out, page.row());
    out.putLong(page.page());
    out.putInt(page.generation());
    out.putInt(page.storedBytes());
    out.putInt(page.checksum());
    out.putInt(page.count());
    out.putLong(page.payloadBytes());
    writeName(out, page.first());
    writeName(out, page.last());
    out.putLong(page.group());
    writeMinutes(out, page.minutes());
  }

  static void writeRemoved(FrameWriter out, PageMeta page) throws IOException {
    out.putByte(REMOVED);
    out.putLong(page.page());
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

  static void replay(ByteBuffer in, Hour hour, Sink sink) {
    while (in.hasRemaining()) {
      byte kind = in.get();
      switch (kind) {
        case ADDED -> sink.added(readPage(in, hour));
        case REMOVED -> sink.removed(in.getLong());
        case SEALED -> sink.sealed(readRow(in, hour), readManifest(in));
        default -> throw new IllegalArgumentException("record kind " + kind + " is unknown");
      }
    }
  }

  private static PageMeta readPage(ByteBuffer in, Hour hour) {
    return new PageMeta(
        readRow(in, hour),
        in.getLong(),
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getInt(),
        in.getLong(),
        readName(in),
        readName(in),
        in.getLong(),
        readMinutes(in));
  }

  private static Manifest readManifest(ByteBuffer in) {
    long columns = in.getLong();
    long bytes = in.getLong();
    TimeUuid first = readName(in);
    TimeUuid last = readName(in);
    long digest = in.getLong();
    int[] minutes = new int[MinuteCounts.MINUTES];
    readMinutes(in).addTo(minutes);
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

  private static MinuteCounts readMinutes(ByteBuffer in) {
    int from = in.get();
    int[] counts = new int[in.get()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = in.getInt();
    }
    return new MinuteCounts(from, counts);
  }
}
