package hourglass.store;

import hourglass.bucketing.TimeUuid;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of one row, or some of them, packed into arrays: the names strictly ascend, and the
 * payloads follow one another. Immutable, and so safe to share; the array of {@link #bytes} must
 * not be modified.
 *
 * <pre>
 * ticks    t0 t1 t2            offsets  0    31   64   97
 * lsbs     l0 l1 l2            bytes    payload0|payload1|payload2
 * </pre>
 *
 * One object holds thousands of columns, from the request to the answer. No column has an object of
 * its own.
 */
public final class Columns {
  public static final Columns EMPTY =
      new Columns(new long[0], new long[0], new int[1], new byte[0], 0, 0);

  private final long[] ticks;
  private final long[] lsbs;
  private final int[] offsets;
  private final byte[] bytes;
  private final int start;
  private final int size;

  private Columns(long[] ticks, long[] lsbs, int[] offsets, byte[] bytes, int start, int size) {
    this.ticks = ticks;
    this.lsbs = lsbs;
    this.offsets = offsets;
    this.bytes = bytes;
    this.start = start;
    this.size = size;
  }

  /**
   * Takes ownership of packed arrays with ascending names.
   *
   * @param offsets payload i is {@code [offsets[i], offsets[i + 1])}
   * @param bytes the payloads, or empty if only names and lengths are known
   */
  public static Columns ofPacked(long[] ticks, long[] lsbs, int[] offsets, byte[] bytes, int size) {
    for (int i = 0; i < size; i++) {
      if (i > 0 && TimeUuid.compare(ticks[i - 1], lsbs[i - 1], ticks[i], lsbs[i]) >= 0) {
        throw new IllegalArgumentException("columns: name " + i + " does not ascend");
      }
      if (offsets[i] < 0 || offsets[i + 1] < offsets[i]) {
        throw new IllegalArgumentException("columns: payload " + i + " has a length below 0");
      }
    }
    if (bytes.length > 0 && offsets[size] > bytes.length) {
      throw new IllegalArgumentException("columns: payloads end after their bytes");
    }
    return new Columns(ticks, lsbs, offsets, bytes, 0, size);
  }

  /** Creates names without payloads, each with length 0; takes ownership of the arrays. */
  public static Columns ofNames(long[] ticks, long[] lsbs, int size) {
    return ofPacked(ticks, lsbs, new int[size + 1], EMPTY.bytes, size);
  }

  /** Creates a view of arrays that are not sorted yet. */
  static Columns unordered(long[] ticks, long[] lsbs, int[] offsets, byte[] bytes, int size) {
    return new Columns(ticks, lsbs, offsets, bytes, 0, size);
  }

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public long ticks(int i) {
    return ticks[start + i];
  }

  public long lsb(int i) {
    return lsbs[start + i];
  }

  public TimeUuid id(int i) {
    return new TimeUuid(ticks[start + i], lsbs[start + i]);
  }

  public TimeUuid first() {
    return id(0);
  }

  public TimeUuid last() {
    return id(size - 1);
  }

  /** The position in {@link #bytes} at which payload {@code i} begins. */
  public int offset(int i) {
    return offsets[start + i];
  }

  public int length(int i) {
    return offsets[start + i + 1] - offsets[start + i];
  }

  /** The array that contains the payloads, and perhaps other bytes around them. */
  public byte[] bytes() {
    return bytes;
  }

  public byte[] payload(int i) {
    return Arrays.copyOfRange(bytes, offset(i), offset(i) + length(i));
  }

  public int payloadBytes() {
    return offsets[start + size] - offsets[start];
  }

  /** The position of the first name at or after the given one; {@code size()} if there is none. */
  public int lowerBound(TimeUuid name) {
    return lowerBound(name.ticks(), name.lsb(), 0);
  }

  public int lowerBound(long nameTicks, long nameLsb, int from) {
    int low = from;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (TimeUuid.compare(ticks(middle), lsb(middle), nameTicks, nameLsb) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  public boolean contains(long nameTicks, long nameLsb) {
    int at = lowerBound(nameTicks, nameLsb, 0);
    return at < size && ticks(at) == nameTicks && lsb(at) == nameLsb;
  }

  /** Returns the columns at positions {@code [from, to)}; shares the arrays. */
  public Columns subColumns(int from, int to) {
    if (from == 0 && to == size) {
      return this;
    }
    if (from < 0 || from > to || to > size) {
      throw new IndexOutOfBoundsException("[" + from + ", " + to + ") of " + size);
    }
    return new Columns(ticks, lsbs, offsets, bytes, start + from, to - from);
  }

  /**
   * Returns at most {@code sizeMax} columns, from the end at which the order begins; shares the
   * arrays.
   */
  public Columns nearest(int sizeMax, Order order) {
    int taken = Math.min(size, sizeMax);
    return order == Order.ASCENDING ? subColumns(0, taken) : subColumns(size - taken, size);
  }

  /** Returns the columns with names in the range; shares the arrays. */
  public Columns within(ColumnRange range) {
    int from = lowerBound(range.from());
    return subColumns(from, Math.max(from, lowerBound(range.to())));
  }

  public int countBefore(long nameTicks) {
    return size == 0 || ticks(0) >= nameTicks ? 0 : lowerBound(TimeUuid.first(nameTicks));
  }

  /** Returns the columns with ticks before the given one; shares the arrays. */
  public Columns before(long nameTicks) {
    int count = countBefore(nameTicks);
    return count == 0 ? EMPTY : subColumns(0, count);
  }

  /** Returns the names and the lengths of the payloads without their bytes; shares the arrays. */
  public Columns namesOnly() {
    return new Columns(ticks, lsbs, offsets, EMPTY.bytes, start, size);
  }

  public Columns copy() {
    ColumnsBuilder copy = new ColumnsBuilder(size, bytes.length == 0 ? 0 : payloadBytes());
    copy.addAll(this, 0, size);
    return copy.build();
  }

  /** Returns the same columns, copied if their shared arrays are more than twice as large. */
  public Columns compact() {
    long own = 20L * size + (bytes.length == 0 ? 0 : payloadBytes());
    return memoryBytes() > 2 * own + 1024 ? copy() : this;
  }

  /**
   * Merges columns; of two payloads under one name, the larger stays, as in {@link
   * WideColumnStore}.
   */
  public static Columns merge(List<Columns> packs) {
    return packs.size() == 1 ? packs.get(0) : new ColumnsMerge(packs).rest();
  }

  /**
   * Compares payloads as unsigned bytes, with a prefix before the longer payload. If the bytes of
   * one are unknown, it compares lengths.
   */
  public static int comparePayloads(Columns a, int i, Columns b, int j) {
    if (a.bytes.length == 0 || b.bytes.length == 0) {
      return Integer.compare(a.length(i), b.length(j));
    }
    return Arrays.compareUnsigned(
        a.bytes,
        a.offset(i),
        a.offset(i) + a.length(i),
        b.bytes,
        b.offset(j),
        b.offset(j) + b.length(j));
  }

  /** The memory in bytes, including shared arrays. */
  public long memoryBytes() {
    return 16L * ticks.length + 4L * offsets.length + bytes.length + 112;
  }

  @Override
  public String toString() {
    return "Columns[" + size + (isEmpty() ? "" : ", " + first() + " to " + last()) + "]";
  }
}
