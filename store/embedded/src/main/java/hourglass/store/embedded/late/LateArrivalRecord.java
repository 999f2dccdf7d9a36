package hourglass.store.embedded.late;

import hourglass.bucketing.RowKey;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.embedded.codec.NamesCodec;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A record in a file of late arrivals, little-endian. See docs/arrivals-format.md.
 *
 * <pre>
 * log group 8 | number 4 | row (RowRecord) | length 4 | names ({@link NamesCodec})
 * </pre>
 *
 * @param names encoded
 */
@SuppressWarnings("ArrayRecordComponent") // decoded at once, never compared
record LateArrivalRecord(LateArrivalPlace place, RowKey row, byte[] names) {

  static void write(FrameWriter out, LateArrival note, NamesCodec codec) throws IOException {
    out.putLong(note.place().high());
    out.putInt((int) note.place().low());
    RowRecord.write(out, note.row());
    byte[] names = codec.encode(note.names());
    out.putInt(names.length);
    out.putBytes(names, 0, names.length);
  }

  static LateArrivalRecord read(ByteBuffer in) {
    long group = in.getLong();
    LateArrivalPlace place = new LateArrivalPlace(group, in.getInt());
    RowKey row = RowRecord.read(in);
    byte[] names = new byte[RowRecord.bounded(in.getInt(), 1, in.remaining())];
    in.get(names);
    return new LateArrivalRecord(place, row, names);
  }

  LateArrival unpack(NamesCodec codec) {
    return new LateArrival(place, row, codec.decode(names, LateArrival.NAMES_MAX));
  }
}
