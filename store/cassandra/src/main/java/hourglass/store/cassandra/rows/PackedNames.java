package hourglass.store.cassandra.rows;

import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.pages.NamesCodec;
import java.nio.ByteBuffer;

/** Names of columns as a value of a table: a byte for the format, and the packed names. */
public final class PackedNames {
  /** The most names of a value, some tens of KiB. */
  public static final int NAMES_MAX = 4_096;

  private static final byte PACKED = (byte) 0xff;

  private static final ThreadLocal<NamesCodec> CODEC = ThreadLocal.withInitial(NamesCodec::new);

  private PackedNames() {}

  /** Encodes 1 to {@link #NAMES_MAX} columns; ignores the payloads. */
  public static ByteBuffer encode(Columns names) {
    byte[] packed = CODEC.get().encode(names);
    return ByteBuffer.allocate(1 + packed.length).put(PACKED).put(packed).flip();
  }

  /**
   * Decodes names.
   *
   * @param table for the message of a fault
   */
  public static Columns decode(ByteBuffer bytes, String table) {
    byte format = bytes.get(bytes.position());
    if (format != PACKED) {
      throw new CorruptException(
          table + ": names of format " + format + ", this program reads " + PACKED);
    }
    byte[] packed = new byte[bytes.remaining() - 1];
    bytes.get(bytes.position() + 1, packed);
    return CODEC.get().decode(packed, NAMES_MAX);
  }
}
