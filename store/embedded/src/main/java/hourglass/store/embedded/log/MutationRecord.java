package hourglass.store.embedded.log;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A mutation in the commit log, little-endian. See docs/log-format.md.
 *
 * <pre>
 * kind 1 | hour 4 | shard 4 | type length 4 | type UTF-8 | count 4 | payload bytes 4
 * | count times: ticks 8, lsb 8, length 4 | payloads
 * </pre>
 */
final class MutationRecord {
  static final byte KIND = 1;

  private MutationRecord() {}

  static void write(FrameWriter out, Mutation mutation) throws IOException {
    Columns columns = mutation.columns();
    out.putByte(KIND);
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

  /** Reads the bytes after the kind. */
  static Mutation read(ByteBuffer in) {
    RowKey row = RowRecord.read(in);
    int count = RowRecord.bounded(in.getInt(), 20, in.remaining());
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
}
