package hourglass.store.embedded.frames;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Records in memory, which grows with them. Not thread-safe. */
public final class RecordBuffer implements RecordOutput {
  private static final int BYTES_FIRST = 256;

  private ByteBuffer buffer = allocate(BYTES_FIRST);

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer ensure(int bytes) {
    if (buffer.remaining() < bytes) {
      int needed = Math.addExact(buffer.position(), bytes);
      ByteBuffer larger = allocate(Math.max(needed, (int) Math.min(2L * needed, 1 << 30)));
      buffer = larger.put(buffer.flip());
    }
    return buffer;
  }

  @Override
  public void putByte(int value) {
    ensure(1).put((byte) value);
  }

  @Override
  public void putInt(int value) {
    ensure(Integer.BYTES).putInt(value);
  }

  @Override
  public void putLong(long value) {
    ensure(Long.BYTES).putLong(value);
  }

  @Override
  public void putBytes(byte[] bytes, int from, int length) {
    ensure(length).put(bytes, from, length);
  }

  public byte[] toBytes() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
