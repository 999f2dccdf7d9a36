package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import java.nio.ByteBuffer;

/**
 * The directory's record of a row and a writer, published when the Cassandra engine would: before
 * the first column, beyond the published bounds, every five seconds of a busy row, and once it is
 * quiet. The hour is not over.
 */
final class DirectoryRecord {
  static final int BUCKETS = 8;

  private static final long SPARE_COLUMNS = 64;
  private static final long SPARE_BYTES = 64 << 10;
  private static final int SPARE_SHIFT = 3;
  private static final long PUBLISH_AGE_MICROS = 5_000_000;

  private long columns;
  private long bytes;
  private long columnsBound = -1;
  private long bytesBound;
  private long publishedMicros;
  private boolean written;
  private boolean exact = true;

  /** Of a row key in its hour: a number below {@link #BUCKETS}. */
  static int bucket(RowKey row) {
    return (row.toString().hashCode() * 0x9E3779B9) >>> 29;
  }

  /** A partition's key as its bytes: three integers. */
  static byte[] partition(RowKey row) {
    ByteBuffer key = ByteBuffer.allocate(21);
    for (int part : new int[] {row.hour().epochHours(), 0, bucket(row)}) {
      key.putShort((short) Integer.BYTES).putInt(part).put((byte) 0);
    }
    return key.array();
  }

  boolean isExact() {
    return exact;
  }

  /** Returns whether the record must be published for these columns. */
  boolean add(long moreColumns, long moreBytes, long nowMicros) {
    columns += moreColumns;
    bytes += moreBytes;
    written = true;
    exact = false;
    boolean beyond = columns > columnsBound || bytes > bytesBound;
    if (beyond) {
      publish(nowMicros);
    }
    return beyond;
  }

  /** Called once a second while not exact; returns whether the record is published. */
  boolean check(long nowMicros) {
    exact = !written;
    written = false;
    if (exact) {
      columnsBound = columns;
      bytesBound = bytes;
      return true;
    }
    boolean isOld = nowMicros - publishedMicros >= PUBLISH_AGE_MICROS;
    if (isOld) {
      publish(nowMicros);
    }
    return isOld;
  }

  private void publish(long nowMicros) {
    columnsBound = columns + Math.max(SPARE_COLUMNS, columns >> SPARE_SHIFT);
    bytesBound = bytes + Math.max(SPARE_BYTES, bytes >> SPARE_SHIFT);
    publishedMicros = nowMicros;
  }
}
