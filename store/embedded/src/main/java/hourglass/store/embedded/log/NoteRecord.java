package hourglass.store.embedded.log;

import hourglass.store.Mutation;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import hourglass.store.embedded.late.LateNote;
import hourglass.store.embedded.late.Runs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A note in the commit log, little-endian: which columns of a mutation of the same group came late.
 * See docs/log-format.md.
 *
 * <pre>
 * kind 3 | mutation 4 | runs 4 | runs times: from 4, to 4
 * </pre>
 *
 * Mutations of a group are numbered from 0; a run is of positions, {@code [from, to)}.
 */
final class NoteRecord {
  static final byte KIND = 3;
  private static final int RUN_BYTES = 8;

  private NoteRecord() {}

  static void write(FrameWriter out, LateNote note) throws IOException {
    out.putByte(KIND);
    out.putInt(note.number());
    out.putInt(note.runs().size());
    for (int i = 0; i < note.runs().size(); i++) {
      out.putInt(note.runs().from(i));
      out.putInt(note.runs().to(i));
    }
  }

  /**
   * Reads what follows the kind.
   *
   * @param group the mutations before it in the group
   */
  static LateNote read(ByteBuffer in, List<Mutation> group) {
    int number = in.getInt();
    if (number < 0 || number >= group.size()) {
      throw new IllegalArgumentException("a note of mutation " + number + " of " + group.size());
    }
    int count = RowRecord.bounded(in.getInt(), RUN_BYTES, in.remaining());
    Runs runs = new Runs();
    for (int i = 0; i < count; i++) {
      runs.add(in.getInt(), in.getInt());
    }
    return new LateNote(number, group.get(number), runs);
  }
}
