package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.frames.RecordOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** An hour of a retention class. Pages of two of them are never in one section. */
public record ClassHour(String retentionClass, Hour hour) implements Comparable<ClassHour> {
  private static final Comparator<ClassHour> ORDER =
      Comparator.comparing(ClassHour::hour).thenComparing(ClassHour::retentionClass);

  /** Sorts by hour, then by class. */
  @Override
  public int compareTo(ClassHour other) {
    return ORDER.compare(this, other);
  }

  void writeTo(RecordOutput out) throws IOException {
    byte[] name = retentionClass.getBytes(StandardCharsets.US_ASCII);
    out.putByte(name.length);
    out.putBytes(name, 0, name.length);
    out.putInt(hour.epochHours());
  }

  static ClassHour readFrom(ByteBuffer in) {
    byte[] name = new byte[in.get()];
    in.get(name);
    return new ClassHour(new String(name, StandardCharsets.US_ASCII), new Hour(in.getInt()));
  }

  @Override
  public String toString() {
    return retentionClass + "/" + hour;
  }
}
