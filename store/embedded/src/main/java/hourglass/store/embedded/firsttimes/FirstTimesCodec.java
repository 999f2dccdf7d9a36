package hourglass.store.embedded.firsttimes;

import hourglass.store.FirstTimes;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.frames.RowRecord;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * First times in the log and in files, little-endian.
 *
 * <pre>
 * count 4 | count times: lsb 8, more 8, ticks 8
 * </pre>
 */
public final class FirstTimesCodec {
  private FirstTimesCodec() {}

  public static void write(FrameWriter out, FirstTimes times) throws IOException {
    out.putInt(times.size());
    for (int i = 0; i < times.size(); i++) {
      out.putLong(times.lsb(i));
      out.putLong(times.more(i));
      out.putLong(times.ticks(i));
    }
  }

  public static FirstTimes read(ByteBuffer in) {
    int count = RowRecord.bounded(in.getInt(), FirstTimes.EVENT_BYTES, in.remaining());
    long[] lsb = new long[count];
    long[] more = new long[count];
    long[] ticks = new long[count];
    for (int i = 0; i < count; i++) {
      lsb[i] = in.getLong();
      more[i] = in.getLong();
      ticks[i] = in.getLong();
    }
    return new FirstTimes(lsb, more, ticks);
  }
}
