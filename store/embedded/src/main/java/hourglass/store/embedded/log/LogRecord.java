package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import hourglass.store.embedded.firsttimes.FirstTimesCodec;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import hourglass.store.embedded.frames.TypeHourRecord;
import hourglass.store.embedded.late.LateColumns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The records of the commit log, little-endian. See docs/log-format.md.
 *
 * <pre>
 * MUTATION      1 | hour 4 | shard 4 | type length 4 | type UTF-8 | count 4 | payload bytes 4
 *                 | count times: ticks 8, lsb 8, length 4 | payloads
 * DROP          2 | hour 4
 * LATE_COLUMNS  3 | mutation 4 | runs 4 | runs times: from 4, to 4
 * FIRST_TIMES   4 | first times ({@link FirstTimesCodec})
 * DROP_TYPE     5 | hour 4 | type length 4 | type UTF-8
 * </pre>
 *
 * Late columns name a mutation of their group, counted from 0. A run is {@code [from, to)}.
 */
final class LogRecord {
  static final byte MUTATION = 1;
  static final byte DROP = 2;
  static final byte LATE_COLUMNS = 3;
  static final byte FIRST_TIMES = 4;
  static final byte DROP_TYPE = 5;

  private static final int COLUMN_BYTES = 20;
  private static final int RUN_BYTES = 8;

  private LogRecord() {}

  static void write(FrameWriter out, Mutation mutation) throws IOException {
    Columns columns = mutation.columns();
    out.putByte(MUTATION);
    RowRecord.write(out, mutation.row());
    out.putInt(columns.size());
    out.putInt(columns.payloadBytes());
    for (int i = 0; i < columns.size(); i++) {
      out.putLong(columns.ticks(i));
      out.putLong(columns.lsb(i));
      out.putInt(columns.length(i));
    }
    out.putBytes(columns.bytes(), columns.offset(0), columns.payloadBytes());
  }

  static void write(FrameWriter out, LateColumns late) throws IOException {
    out.putByte(LATE_COLUMNS);
    out.putInt(late.number());
    out.putInt(late.runs());
    for (int i = 0; i < late.runs(); i++) {
      out.putInt(late.from(i));
      out.putInt(late.to(i));
    }
  }

  static void write(FrameWriter out, FirstTimes times) throws IOException {
    out.putByte(FIRST_TIMES);
    FirstTimesCodec.write(out, times);
  }

  static void writeDrop(FrameWriter out, Hour hour) throws IOException {
    out.putByte(DROP);
    out.putInt(hour.epochHours());
  }

  static void writeDrop(FrameWriter out, TypeHour of) throws IOException {
    out.putByte(DROP_TYPE);
    TypeHourRecord.write(out, of);
  }

  static Mutation readMutation(ByteBuffer in) {
    RowKey row = RowRecord.read(in);
    int count = RowRecord.bounded(in.getInt(), COLUMN_BYTES, in.remaining());
    byte[] payloads = new byte[RowRecord.bounded(in.getInt(), 1, in.remaining())];
    long[] ticks = new long[count];
    long[] lsbs = new long[count];
    int[] offsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      ticks[i] = in.getLong();
      lsbs[i] = in.getLong();
      offsets[i + 1] = Math.addExact(offsets[i], in.getInt());
    }
    in.get(payloads);
    return new Mutation(row, Columns.ofPacked(ticks, lsbs, offsets, payloads, count));
  }

  static LateColumns readLateColumns(ByteBuffer in, List<Mutation> group) {
    int number = in.getInt();
    if (number < 0 || number >= group.size()) {
      throw new IllegalArgumentException(
          "late columns of mutation " + number + " of " + group.size());
    }
    LateColumns late = new LateColumns(number, group.get(number));
    for (int left = RowRecord.bounded(in.getInt(), RUN_BYTES, in.remaining()); left > 0; left--) {
      late.add(in.getInt(), in.getInt());
    }
    return late;
  }
}
