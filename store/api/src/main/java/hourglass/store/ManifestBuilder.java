package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.RowEntry.Mark;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Computes the manifest of a row from its columns in ascending order. Equal columns have the same
 * digest in every engine. Not thread-safe; use it once.
 */
public final class ManifestBuilder {
  private static final int MINUTES = 60;

  private final Hour hour;
  private final int[] minutes = new int[MINUTES];
  private long columns;
  private long bytes;
  private long digest;
  private @Nullable TimeUuid first;
  private @Nullable TimeUuid last;

  public ManifestBuilder(Hour hour) {
    this.hour = hour;
  }

  /** Adds the next columns: at least one, with payloads. */
  public void add(Columns part) {
    first = first == null ? part.first() : first;
    last = part.last();
    columns += part.size();
    bytes += part.payloadBytes();
    for (int i = 0; i < part.size(); i++) {
      minutes[(int) ((part.ticks(i) - hour.startTicks()) / Ticks.PER_MINUTE)]++;
      CRC32C crc = new CRC32C();
      crc.update(part.bytes(), part.offset(i), part.length(i));
      digest = mix(digest ^ part.ticks(i));
      digest = mix(digest ^ part.lsb(i));
      digest = mix(digest ^ crc.getValue());
    }
  }

  /**
   * Mixes the bits with the finaliser of splitmix64 (Steele, Lea, Flood 2014). It adds the step
   * first, so that zero changes too.
   */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** Returns the manifest; null if no column was added. */
  public @Nullable Manifest build(List<Mark> marks) {
    return first == null || last == null
        ? null
        : new Manifest(columns, bytes, first, last, digest, minutes, marks);
  }
}
