package hourglass.query.values;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value with its count. Equality and order depend on the bytes alone, which may be borrowed for a
 * lookup. Not thread-safe.
 */
final class CountedValue implements Comparable<CountedValue> {
  private byte[] bytes = new byte[0];
  private int from;
  private int to;
  private int hash;

  /** Occurrences since the value was last added to the counts. */
  long count;

  /** Upper bound on earlier occurrences, which were dropped. */
  long missed;

  /** Borrows the bytes in {@code [from, to)} until the next call. */
  CountedValue over(byte[] ofBytes, int begin, int end) {
    bytes = ofBytes;
    from = begin;
    to = end;
    hash = 1;
    for (int i = begin; i < end; i++) {
      hash = 31 * hash + ofBytes[i];
    }
    return this;
  }

  /** A copy that owns its bytes, to keep in a map. */
  CountedValue copy() {
    CountedValue copy = new CountedValue();
    copy.bytes = Arrays.copyOfRange(bytes, from, to);
    copy.to = to - from;
    copy.hash = hash;
    return copy;
  }

  /** The bytes of a {@link #copy}. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return to - from;
  }

  /** Upper bound on all occurrences. */
  long countMax() {
    return count + missed;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CountedValue that
        && hash == that.hash
        && Arrays.equals(bytes, from, to, that.bytes, that.from, that.to);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Unsigned order of the bytes. It keeps a hash map fast under many equal hashes. */
  @Override
  public int compareTo(CountedValue other) {
    return Arrays.compareUnsigned(bytes, from, to, other.bytes, other.from, other.to);
  }
}
