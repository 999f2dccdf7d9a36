package hourglass.store.embedded.log;

import hourglass.store.Mutation;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import hourglass.store.embedded.late.LateColumns;
import hourglass.store.embedded.late.PositionRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A late arrival record in the commit log, little-endian: the late columns of a mutation of the
 * same group. See docs/log-format.md.
 *
 * <pre>
 * kind 3 | mutation 4 | runs 4 | runs times: from 4, to 4
 * </pre>
 *
 * Mutations of a group are numbered from 0. A run is a range of positions {@code [from, to)}.
 */
final class LateColumnsRecord {
  static final byte KIND = 3;
  private static final int RUN_BYTES = 8;

  private LateColumnsRecord() {}

  static void write(FrameWriter out, LateColumns note) throws IOException {
    out.putByte(KIND);
    out.putInt(note.number());
    out.putInt(note.runs().size());
    for (int i = 0; i < note.runs().size(); i++) {
      out.putInt(note.runs().from(i));
      out.putInt(note.runs().to(i));
    }
  }

  /**
   * Reads the bytes after the kind.
   *
   * @param group the mutations before the record in its group
   */
  static LateColumns read(ByteBuffer in, List<Mutation> group) {
    int number = in.getInt();
    if (number < 0 || number >= group.size()) {
      throw new IllegalArgumentException("a note of mutation " + number + " of " + group.size());
    }
    int count = RowRecord.bounded(in.getInt(), RUN_BYTES, in.remaining());
    PositionRanges runs = new PositionRanges();
    for (int i = 0; i < count; i++) {
      runs.add(in.getInt(), in.getInt());
    }
    return new LateColumns(number, group.get(number), runs);
  }
}
