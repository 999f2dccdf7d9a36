package hourglass.ingest.protocols.protobuf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Steps through the fields of messages in an array, in the wire format of <a
 * href="https://protobuf.dev/programming-guides/encoding/">protocol buffers</a>. It copies nothing
 * and makes no objects: a text or a nested message is a range of the array. Not thread-safe.
 *
 * <pre>
 * reader.enter(from, to);
 * while (reader.next()) {
 *   if (reader.field() == 1 &amp;&amp; reader.isRange()) {
 *     text(reader.from(), reader.to());
 *   }
 * }
 * </pre>
 *
 * <p>A nested message is read by {@link #each} or {@link #nested}. Every method but the accessors
 * throws {@link MalformedProtobufException}. Groups, which no current schema contains, are refused.
 */
public final class ProtobufReader {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  // These are the wire types.
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int RANGE = 2;
  private static final int FIXED32 = 5;

  private static final int FIELD_MAX = (1 << 29) - 1;

  private final byte[] b;
  private int at;
  private int end;
  private int field;
  private int wire;
  private long number;
  private int from;
  private int to;

  /** Creates a reader of no message; {@link #enter} one. */
  public ProtobufReader(byte[] bytes) {
    this.b = bytes;
  }

  /** Begins the message {@code [from, to)}. */
  public void enter(int messageFrom, int messageTo) {
    at = messageFrom;
    end = messageTo;
  }

  /** A reader of the texts, bytes or messages in one field. */
  @FunctionalInterface
  public interface Range {
    /** Reads {@code [from, to)}, and may enter other messages. */
    void read(int from, int to);
  }

  /**
   * Reads each text, bytes or message in a field of the message {@code [messageFrom, messageTo)}.
   */
  public void each(int messageFrom, int messageTo, int wanted, Range range) {
    enter(messageFrom, messageTo);
    while (next()) {
      if (field == wanted && isRange()) {
        nested(range);
      }
    }
  }

  /** Reads the current field, which may be a message, and stays in the message around it. */
  public void nested(Range range) {
    int rest = at;
    int restEnd = end;
    range.read(from, to);
    enter(rest, restEnd);
  }

  /** Reads a field with its value. Returns false at the end of the message. */
  public boolean next() {
    if (at >= end) {
      return false;
    }
    int start = at;
    long tag = b[at] >= 0 ? b[at++] : varint();
    wire = (int) tag & 7;
    long wide = tag >>> 3;
    if (wide == 0 || wide > FIELD_MAX) {
      throw new MalformedProtobufException(start, "a field number of " + wide);
    }
    field = (int) wide;
    switch (wire) {
      case RANGE -> range();
      case VARINT -> number = varint();
      case FIXED64 -> {
        need(Long.BYTES);
        number = (long) LONGS.get(b, at);
        at += Long.BYTES;
      }
      case FIXED32 -> {
        need(Integer.BYTES);
        number = (int) INTS.get(b, at);
        at += Integer.BYTES;
      }
      default -> throw new MalformedProtobufException(start, "a wire type of " + wire);
    }
    return true;
  }

  private void range() {
    int start = at;
    long length = at < end && b[at] >= 0 ? b[at++] : varint();
    if (length < 0 || length > end - at) {
      throw new MalformedProtobufException(
          start, Long.toUnsignedString(length) + " bytes, where " + (end - at) + " are left");
    }
    from = at;
    at += (int) length;
    to = at;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      need(1);
      byte next = b[at++];
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new MalformedProtobufException(at, "a number of more than 10 bytes");
  }

  private void need(int bytes) {
    if (end - at < bytes) {
      throw new MalformedProtobufException(end, "ends too early");
    }
  }

  /** Returns the number that identifies the current field. */
  public int field() {
    return field;
  }

  /** Returns whether the field is a text, bytes, or a message: {@code [from, to)}. */
  public boolean isRange() {
    return wire == RANGE;
  }

  /** Returns whether the field is a number in the encoding of int64, bool or enum. */
  public boolean isVarint() {
    return wire == VARINT;
  }

  /** Returns whether the field is a number of eight bytes. */
  public boolean isFixed64() {
    return wire == FIXED64;
  }

  /** Returns a number, or the bits of a double. A number of four bytes is extended by its sign. */
  public long number() {
    return number;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }
}
