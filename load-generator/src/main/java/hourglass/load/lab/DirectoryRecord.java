package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import java.nio.ByteBuffer;

/**
 * The directory's record of a row and a writer. It is published when the Cassandra engine would
 * publish it: before the first column, beyond the published bounds, every five seconds while a row
 * is busy, and once the row is quiet. The hour is assumed not to be over.
 */
final class DirectoryRecord {
  static final int BUCKETS = 8;

  private static final long SPARE_COLUMNS = 64;
  private static final long SPARE_BYTES = 64 << 10;
  private static final int SPARE_SHIFT = 3;
  private static final long PUBLISH_AGE_MICROS = 5_000_000;

  private final RowKey row;
  private long columns;
  private long bytes;
  private long columnsBound = -1;
  private long bytesBound;
  private long publishedMicros;
  private boolean written;
  private boolean exact = true;

  DirectoryRecord(RowKey row) {
    this.row = row;
  }

  /** Returns the bucket of the row in its hour: a number below {@link #BUCKETS}. */
  int bucket() {
    return (row.toString().hashCode() * 0x9E3779B9) >>> 29;
  }

  /** Returns the bytes of the partition's key, which consists of three integers. */
  byte[] partition() {
    ByteBuffer key = ByteBuffer.allocate(21);
    for (int part : new int[] {row.hour().epochHours(), 0, bucket()}) {
      key.putShort((short) Integer.BYTES).putInt(part).put((byte) 0);
    }
    return key.array();
  }

  boolean isExact() {
    return exact;
  }

  /** Adds columns. Returns whether the record must be published for them. */
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

  /**
   * Checks the record, once a second while it is not exact. Returns whether the record is
   * published.
   */
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
