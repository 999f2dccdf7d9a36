package hourglass.store.cassandra.rows;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.parts.Part;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Columns of one row as one stored value: a single column, or a page of many. See
 * docs/pack-format.md.
 *
 * @param first the smallest name
 * @param digest of head and body, so that the same columns are stored once
 * @param head the length of a single payload; or the ranges of names, the header of a page and its
 *     filter of values
 * @param body a single payload, or the rest of a page; null if it was not read
 */
record Pack(TimeUuid first, long digest, ByteBuffer head, @Nullable ByteBuffer body) {

  /** A page's head is longer. */
  static final int COLUMN_HEAD_BYTES = Integer.BYTES;

  boolean isColumn() {
    return head.remaining() == COLUMN_HEAD_BYTES;
  }

  /** Of a pack with its body. */
  int bodyLength() {
    return Objects.requireNonNull(body).remaining();
  }

  int length() {
    return head.getInt(head.position());
  }

  /** Of a pack with its body. */
  Part part() {
    return isColumn() ? new ColumnsPart(columns()) : new PagePart(this);
  }

  private Columns columns() {
    byte[] payload = new byte[length()];
    Objects.requireNonNull(body).duplicate().get(payload);
    return Columns.ofPacked(
        new long[] {first.ticks()},
        new long[] {first.lsb()},
        new int[] {0, payload.length},
        payload,
        1);
  }
}
