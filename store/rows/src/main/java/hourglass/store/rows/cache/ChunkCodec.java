package hourglass.store.rows.cache;

import com.github.luben.zstd.Zstd;
import hourglass.store.Columns;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;

/**
 * Packs columns as compressed bytes. They never leave the process, so the format has neither
 * version nor checksum.
 *
 * <pre>
 * count | payload bytes | zstd { differences of ticks | lsbs | lengths | payloads }
 * </pre>
 */
final class ChunkCodec {
  private static final int HEADER_BYTES = 2 * Integer.BYTES;
  private static final int NAME_BYTES = 2 * Long.BYTES + Integer.BYTES;
  private static final int LEVEL = 1;

  private ChunkCodec() {}

  static byte[] encode(Columns columns) {
    int count = columns.size();
    int payloadBytes = columns.payloadBytes();
    ByteBuffer raw = ByteBuffer.allocate(count * NAME_BYTES + payloadBytes);
    long before = 0;
    for (int i = 0; i < count; i++) {
      raw.putLong(columns.ticks(i) - before);
      before = columns.ticks(i);
    }
    for (int i = 0; i < count; i++) {
      raw.putLong(columns.lsb(i));
    }
    for (int i = 0; i < count; i++) {
      raw.putInt(columns.length(i));
    }
    raw.put(columns.bytes(), columns.offset(0), payloadBytes);
    byte[] packed = Zstd.compress(raw.array(), LEVEL);
    return ByteBuffer.allocate(HEADER_BYTES + packed.length)
        .putInt(count)
        .putInt(payloadBytes)
        .put(packed)
        .array();
  }

  static Columns decode(byte[] bytes) {
    ByteBuffer header = ByteBuffer.wrap(bytes);
    int count = header.getInt();
    int payloadBytes = header.getInt();
    byte[] raw = new byte[count * NAME_BYTES + payloadBytes];
    Zstd.decompressByteArray(raw, 0, raw.length, bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
    ByteBuffer from = ByteBuffer.wrap(raw);
    LongBuffer names = from.asLongBuffer();
    long[] ticks = new long[count];
    long[] lsbs = new long[count];
    names.get(ticks).get(lsbs);
    for (int i = 1; i < count; i++) {
      ticks[i] += ticks[i - 1];
    }
    // Payloads stay in the decompressed array, after the names.
    int[] offsets = new int[count + 1];
    offsets[0] = count * NAME_BYTES;
    from.position(count * 2 * Long.BYTES);
    for (int i = 0; i < count; i++) {
      offsets[i + 1] = offsets[i] + from.getInt();
    }
    return Columns.ofPacked(ticks, lsbs, offsets, raw, count);
  }
}
