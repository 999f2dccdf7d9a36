package hourglass.store.embedded.erasure;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RecordOutput;
import hourglass.store.embedded.frames.RowRecord;
import hourglass.store.embedded.frames.TypeHourRecord;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.NameHashes;
import hourglass.store.erasure.RememberedColumns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The file of an erasure: a preamble and one group, little-endian. See docs/erasures-format.md.
 *
 * <pre>
 * HIDDEN  1 | id: ticks 8, lsb 8 | paths 4 | paths times: length 4, UTF-8
 *           | rows 4 | rows times: row (RowRecord), names 4, names times: ticks 8, lsb 8
 * DONE    2 | id: ticks 8, lsb 8 | columns 4 | millis 8
 *           | type hours 4 | type hours times: TypeHourRecord, hashes | identities: hashes
 *
 * hashes  count 4 | count times: hash 8
 * </pre>
 */
final class ErasureFile {
  private static final byte HIDDEN = 1;
  private static final byte DONE = 2;

  private static final int NAME_BYTES = 16;

  private ErasureFile() {}

  /** Returns at most how many bytes the file of an erasure has. */
  static long bytesMax(Erasure erasure) {
    long row = 1_100; // the key, of which the type is the most
    return 4_096 + row * erasure.rows().size() + (long) NAME_BYTES * erasure.columns();
  }

  /** Writes a file, which is durable on return, but not its name. */
  static void write(Disk disk, Path path, ByteBuffer staging, StoredErasure erasure)
      throws IOException {
    disk.delete(path); // left by a failed attempt
    FramePreamble preamble = new FramePreamble(FramePreamble.ERASURE, erasure.number(), 1, 0);
    try (Disk.AppendFile file = disk.create(path)) {
      FrameWriter out = FrameWriter.begin(file, staging, preamble);
      Erasure hidden = erasure.hidden();
      if (hidden != null) {
        writeHidden(out, hidden);
      } else {
        writeDone(out, erasure);
      }
      out.endGroup();
    }
  }

  private static void writeHidden(RecordOutput out, Erasure erasure) throws IOException {
    out.putByte(HIDDEN);
    writeName(out, erasure.id());
    out.putInt(erasure.blanked().size());
    for (String path : erasure.blanked()) {
      byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
      out.putInt(bytes.length);
      out.putBytes(bytes, 0, bytes.length);
    }
    out.putInt(erasure.rows().size());
    for (ErasedRow row : erasure.rows()) {
      RowRecord.write(out, row.row());
      out.putInt(row.names().size());
      for (int i = 0; i < row.names().size(); i++) {
        out.putLong(row.names().ticks(i));
        out.putLong(row.names().lsb(i));
      }
    }
  }

  private static void writeDone(RecordOutput out, StoredErasure erasure) throws IOException {
    out.putByte(DONE);
    writeName(out, erasure.id());
    out.putInt(erasure.columns());
    out.putLong(erasure.doneMillis());
    out.putInt(erasure.remembered().names().size());
    for (Map.Entry<TypeHour, NameHashes> each : erasure.remembered().names().entrySet()) {
      TypeHourRecord.write(out, each.getKey());
      writeHashes(out, each.getValue());
    }
    writeHashes(out, erasure.remembered().identities());
  }

  private static void writeName(RecordOutput out, TimeUuid name) throws IOException {
    out.putLong(name.ticks());
    out.putLong(name.lsb());
  }

  private static void writeHashes(RecordOutput out, NameHashes hashes) throws IOException {
    out.putInt(hashes.size());
    for (long hash : hashes.sorted()) {
      out.putLong(hash);
    }
  }

  /** Reads a file. A CorruptException names the place and the remedy. */
  static StoredErasure read(Path path, long number) throws IOException {
    try {
      FrameReader reader = FrameReader.open(path, FramePreamble.ERASURE, -1, false);
      if (reader == null || reader.preamble().number() != number) {
        throw new CorruptException(path + ": offset 0: not erasure " + number);
      }
      ByteBuffer group = reader.next();
      if (group == null) {
        throw new CorruptException(path + ": offset " + reader.goodEnd() + ": cut off");
      }
      StoredErasure read = read(group, number);
      if (group.hasRemaining() || reader.next() != null) {
        throw new CorruptException(path + ": has more than one erasure");
      }
      return read;
    } catch (CorruptException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      throw damaged(path + ": " + e, e);
    }
  }

  private static CorruptException damaged(String what, RuntimeException e) {
    return new CorruptException(
        what
            + "; restore the file, or remove it and erase again what it erases: answers may have"
            + " those events until then",
        e);
  }

  private static StoredErasure read(ByteBuffer in, long number) {
    byte state = in.get();
    return switch (state) {
      case HIDDEN -> StoredErasure.begun(number, readHidden(in));
      case DONE -> readDone(in, number);
      default -> throw new IllegalArgumentException("state " + state + " is unknown");
    };
  }

  private static Erasure readHidden(ByteBuffer in) {
    TimeUuid id = readName(in);
    List<String> paths = new ArrayList<>();
    for (int left = count(in, Integer.BYTES); left > 0; left--) {
      byte[] path = new byte[count(in, 1)];
      in.get(path);
      paths.add(new String(path, StandardCharsets.UTF_8));
    }
    List<ErasedRow> rows = new ArrayList<>();
    for (int left = count(in, NAME_BYTES); left > 0; left--) {
      RowKey row = RowRecord.read(in);
      int size = count(in, NAME_BYTES);
      long[] ticks = new long[size];
      long[] lsbs = new long[size];
      for (int i = 0; i < size; i++) {
        ticks[i] = in.getLong();
        lsbs[i] = in.getLong();
      }
      rows.add(new ErasedRow(row, Columns.ofNames(ticks, lsbs, size)));
    }
    return new Erasure(id, rows, paths);
  }

  private static StoredErasure readDone(ByteBuffer in, long number) {
    TimeUuid id = readName(in);
    int columns = in.getInt();
    long millis = in.getLong();
    Map<TypeHour, NameHashes> names = new HashMap<>();
    for (int left = count(in, Integer.BYTES); left > 0; left--) {
      TypeHour of = TypeHourRecord.read(in);
      names.put(of, readHashes(in));
    }
    return new StoredErasure(
        number, id, columns, null, new RememberedColumns(names, readHashes(in)), millis);
  }

  private static TimeUuid readName(ByteBuffer in) {
    return new TimeUuid(in.getLong(), in.getLong());
  }

  private static NameHashes readHashes(ByteBuffer in) {
    long[] hashes = new long[count(in, Long.BYTES)];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = in.getLong();
    }
    return new NameHashes(hashes);
  }

  private static int count(ByteBuffer in, int bytesEach) {
    return RowRecord.bounded(in.getInt(), bytesEach, in.remaining());
  }
}
