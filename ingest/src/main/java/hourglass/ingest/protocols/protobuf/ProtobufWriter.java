package hourglass.ingest.protocols.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a small message of protocol buffers, such as an answer. Not thread-safe. */
public final class ProtobufWriter {
  private static final int RANGE = 2;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Writes a field of type int32, int64, bool or enum. */
  public ProtobufWriter number(int field, long number) {
    varint((long) field << 3);
    varint(number);
    return this;
  }

  public ProtobufWriter text(int field, String text) {
    return range(field, text.getBytes(StandardCharsets.UTF_8));
  }

  public ProtobufWriter message(int field, ProtobufWriter message) {
    return range(field, message.toBytes());
  }

  private ProtobufWriter range(int field, byte[] some) {
    varint((long) field << 3 | RANGE);
    varint(some.length);
    bytes.writeBytes(some);
    return this;
  }

  private void varint(long number) {
    long rest = number;
    while ((rest & ~0x7fL) != 0) {
      bytes.write((int) rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  public byte[] toBytes() {
    return bytes.toByteArray();
  }
}
