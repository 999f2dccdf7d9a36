package hourglass.bucketing;

/** The lower half of a column name: variant, the kind of identity, and its 60-bit value. */
final class NameValue {
  /** Numbered by a {@link TimeUuidGenerator}. */
  static final int GENERATED = 0;

  /** A hash made by {@link Identity}. */
  static final int HASHED = 1;

  /** The position in a request, after a hash of the request. */
  static final int POSITION = 2;

  /** The offset in a partition of a log, after a hash of the partition. */
  static final int OFFSET = 3;

  static final long VALUE_MASK = (1L << 60) - 1;

  private static final long VARIANT = 0x8000000000000000L;

  /** All but the first byte, whose sign the variant fixes, compare as signed bytes. */
  private static final long LOWER_SIGNS = 0x0080808080808080L;

  private NameValue() {}

  static long lsb(int kind, long value) {
    return (VARIANT | (long) kind << 60 | value & VALUE_MASK) ^ LOWER_SIGNS;
  }
}
