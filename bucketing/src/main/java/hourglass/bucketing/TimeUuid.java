package hourglass.bucketing;

import hourglass.bytes.Hex;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.UUID;

/**
 * A type-1 (time) UUID as a column name. It sorts like Cassandra's {@code timeuuid}: timestamp
 * first, then the other eight bytes as signed bytes. Immutable.
 *
 * <pre>
 * ticks  60 bits   the event's time, in 100 ns since 1582-10-15
 * lsb    64 bits   10 tt vvvv...v   variant (2), kind of identity (2), value (60)
 * </pre>
 *
 * <p>The value's bytes are stored with inverted sign bits, so that names sort like values. {@link
 * TimeUuidGenerator} and {@link Identity} make values.
 */
public record TimeUuid(long ticks, long lsb) implements Comparable<TimeUuid> {
  public static final int TEXT_BYTES = 36;

  /** The kind of values that a {@link TimeUuidGenerator} numbers. */
  static final int GENERATED = 0;

  /** The kind of values that are hashes made by {@link Identity}. */
  static final int HASHED = 1;

  /** The kind of values that add a position in a request to a hash of the request. */
  static final int POSITION = 2;

  /** The kind of values that add an offset in a partition to a hash of the partition. */
  static final int OFFSET = 3;

  static final long VALUE_MASK = (1L << 60) - 1;

  private static final long VARIANT = 0x8000000000000000L;

  /**
   * The sign bits to invert. All bytes but the first, whose sign the variant fixes, compare as
   * signed bytes.
   */
  private static final long LOWER_SIGNS = 0x0080808080808080L;

  private static final long SIGNS = 0x8080808080808080L;
  private static final long TICKS_MAX = 0x0FFFFFFFFFFFFFFFL;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  public TimeUuid {
    if (ticks < 0 || ticks > TICKS_MAX) {
      throw new IllegalArgumentException("ticks: " + ticks + " is not a 60-bit timestamp");
    }
  }

  static long lsb(int kind, long value) {
    return (VARIANT | (long) kind << 60 | value & VALUE_MASK) ^ LOWER_SIGNS;
  }

  /**
   * Returns the smallest name of a tick: {@code [first(a), first(b))} contains the ticks {@code [a,
   * b)}.
   */
  public static TimeUuid first(long ticks) {
    return new TimeUuid(ticks, SIGNS);
  }

  /** Returns the name in a UUID. Throws IllegalArgumentException if the UUID is not of type 1. */
  public static TimeUuid of(UUID uuid) {
    if (uuid.version() != 1) {
      throw new IllegalArgumentException("id: " + uuid + " is not a time (type 1) UUID");
    }
    return new TimeUuid(ticksOfMsb(uuid.getMostSignificantBits()), uuid.getLeastSignificantBits());
  }

  /** Reads a name from a UUID's text. Throws IllegalArgumentException naming any other text. */
  public static TimeUuid parse(String text) {
    UUID uuid;
    try {
      uuid = UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("id: \"" + text + "\" is not a UUID", e);
    }
    // UUID.fromString also accepts groups of other lengths, signs, and digits of other scripts.
    if (!uuid.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException("id: \"" + text + "\" is not a UUID");
    }
    return of(uuid);
  }

  public static long ticksOfMsb(long msb) {
    return (msb & 0x0fffL) << 48 | (msb >>> 16 & 0xffffL) << 32 | msb >>> 32;
  }

  public static long msbOfTicks(long ticks) {
    return ticks << 32 | (ticks >>> 32 & 0xffffL) << 16 | 0x1000L | ticks >>> 48 & 0x0fffL;
  }

  /** Maps an lsb to an unsigned number that sorts as the timeuuid does. */
  public static long sortable(long lsb) {
    return lsb ^ SIGNS;
  }

  public static int compare(long ticksA, long lsbA, long ticksB, long lsbB) {
    return ticksA != ticksB
        ? Long.compare(ticksA, ticksB)
        : Long.compareUnsigned(lsbA ^ SIGNS, lsbB ^ SIGNS);
  }

  /**
   * Returns the name right after this one, so that {@code [from, id.successor())} includes {@code
   * id}.
   */
  public TimeUuid successor() {
    long next = sortable(lsb) + 1;
    return next == 0 ? first(ticks + 1) : new TimeUuid(ticks, sortable(next));
  }

  /** Returns the name right before this one, of which this is the {@link #successor}. */
  public TimeUuid predecessor() {
    long own = sortable(lsb);
    return own == 0
        ? new TimeUuid(ticks - 1, sortable(-1))
        : new TimeUuid(ticks, sortable(own - 1));
  }

  public UUID toUuid() {
    return new UUID(msbOfTicks(ticks), lsb);
  }

  public Hour hour() {
    return Hour.ofTicks(ticks);
  }

  /** Writes the UUID in ASCII, and returns the position after it. */
  public static int write(long ticks, long lsb, byte[] out, int at) {
    long msb = msbOfTicks(ticks);
    long middle = Hex.eight((int) msb);
    long node = Hex.eight((int) (lsb >>> 32));
    LONGS.set(out, at, Hex.eight((int) (msb >>> 32)));
    out[at + 8] = '-';
    INTS.set(out, at + 9, (int) (middle >>> 32));
    out[at + 13] = '-';
    INTS.set(out, at + 14, (int) middle);
    out[at + 18] = '-';
    INTS.set(out, at + 19, (int) (node >>> 32));
    out[at + 23] = '-';
    INTS.set(out, at + 24, (int) node);
    LONGS.set(out, at + 28, Hex.eight((int) lsb));
    return at + TEXT_BYTES;
  }

  @Override
  public int compareTo(TimeUuid other) {
    return compare(ticks, lsb, other.ticks, other.lsb);
  }

  @Override
  public String toString() {
    return toUuid().toString();
  }
}
