package hourglass.store.rows.cache;

import hourglass.bucketing.Identity;
import hourglass.store.ColumnRange;
import hourglass.store.Manifest;
import hourglass.store.RowEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * A 128-bit hash of a chunk's row and range, and of the marks and digest of the manifest. A late
 * write changes the marks, so old chunks are never read again.
 */
record ChunkKey(long high, long low) {
  static final int BYTES = 2 * Long.BYTES;

  static ChunkKey of(RowEntry entry, Manifest manifest, ColumnRange range) {
    MessageDigest hash = Identity.newSha256();
    hash.update(entry.row().toString().getBytes(StandardCharsets.UTF_8));
    ByteBuffer numbers = ByteBuffer.allocate(3 * Long.BYTES);
    numbers.putLong(manifest.digest()).putLong(range.from().ticks()).putLong(range.to().ticks());
    hash.update(numbers.flip());
    for (RowEntry.Mark mark : manifest.marks()) {
      hash.update((byte) 0);
      hash.update(mark.writer().getBytes(StandardCharsets.UTF_8));
      hash.update(ByteBuffer.allocate(Long.BYTES).putLong(mark.value()).flip());
    }
    ByteBuffer digest = ByteBuffer.wrap(hash.digest());
    return new ChunkKey(digest.getLong(), digest.getLong());
  }

  byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }
}
