package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.Manifest;
import hourglass.store.RowEntry.Mark;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Takes the account of a row, stretch by stretch in order. Not thread-safe. */
final class ManifestBuilder {
  private final Hour hour;
  private final int[] minutes = new int[MinuteCounts.MINUTES];
  private long columns;
  private long bytes;
  private long digest;
  private @Nullable TimeUuid first;
  private @Nullable TimeUuid last;

  ManifestBuilder(Hour hour) {
    this.hour = hour;
  }

  void add(Columns stretch) {
    first = first == null ? stretch.first() : first;
    last = stretch.last();
    columns += stretch.size();
    bytes += stretch.payloadBytes();
    MinuteCounts.of(hour, stretch).addTo(minutes);
    for (int i = 0; i < stretch.size(); i++) {
      CRC32C crc = new CRC32C();
      crc.update(stretch.bytes(), stretch.offset(i), stretch.length(i));
      digest = mix(digest ^ stretch.ticks(i));
      digest = mix(digest ^ stretch.lsb(i));
      digest = mix(digest ^ crc.getValue());
    }
  }

  /** The finaliser of splitmix64 (Steele, Lea, Flood 2014), over a step so that zero moves too. */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** The manifest; null if nothing was added. */
  @Nullable Manifest build(List<Mark> marks) {
    return first == null || last == null
        ? null
        : new Manifest(columns, bytes, first, last, digest, minutes, marks);
  }
}
