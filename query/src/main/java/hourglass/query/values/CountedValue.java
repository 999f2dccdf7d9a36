package hourglass.query.values;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value with its count. As a key it is its bytes alone, and it may stand over those of somebody
 * else to look one up. Not thread-safe.
 */
final class CountedValue implements Comparable<CountedValue> {
  private byte[] bytes = new byte[0];
  private int from;
  private int to;
  private int hash;

  /** How often it was seen since it is counted. */
  long count;

  /** How often it may have come before that, at the most. */
  long missed;

  /** Stands over the bytes in {@code [from, to)}, until the next call. */
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

  /** One with bytes of its own, to be kept. */
  CountedValue copy() {
    CountedValue copy = new CountedValue();
    copy.bytes = Arrays.copyOfRange(bytes, from, to);
    copy.to = to - from;
    copy.hash = hash;
    return copy;
  }

  /** Its bytes, if it has them to itself. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return to - from;
  }

  /** How often it came, at the most. */
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

  /** By bytes: so a map keeps its pace where somebody made values of one hash. */
  @Override
  public int compareTo(CountedValue other) {
    return Arrays.compareUnsigned(bytes, from, to, other.bytes, other.from, other.to);
  }
}
