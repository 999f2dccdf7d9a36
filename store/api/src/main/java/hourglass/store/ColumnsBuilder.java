package hourglass.store;

import hourglass.bucketing.TimeUuid;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Packs {@link Columns} from names in any order. Not thread-safe; use it once, or after {@link
 * #clear}.
 */
public final class ColumnsBuilder {
  private long[] ticks;
  private long[] lsbs;
  private int[] offsets;
  private final int bytesCapacity;

  /** The payloads that were copied; the array is made when it is first needed. */
  private byte @Nullable [] copied;

  /**
   * An array in which the payloads already follow one another, used instead of copies; else null.
   */
  private byte @Nullable [] packed;

  private int size;
  private boolean ascending = true;

  public ColumnsBuilder(int columns, int payloadBytes) {
    ticks = new long[columns];
    lsbs = new long[columns];
    offsets = new int[columns + 1];
    bytesCapacity = payloadBytes;
  }

  /** Begins anew in the same arrays. Columns that were built before must not be used any more. */
  public void clear() {
    size = 0;
    offsets[0] = 0;
    packed = null;
    ascending = true;
  }

  public int size() {
    return size;
  }

  public int payloadBytes() {
    return offsets[size] - offsets[0];
  }

  /**
   * Adds a payload like {@link #add}, from an array that never changes again. The array is not
   * copied, as long as each payload begins where the one before it ended.
   */
  public void addPacked(long nameTicks, long nameLsb, byte[] source, int from, int to) {
    if (size == 0) {
      packed = source;
      offsets[0] = from;
    }
    if (packed == source && offsets[size] == from) {
      name(nameTicks, nameLsb, to - from);
    } else {
      add(nameTicks, nameLsb, source, from, to);
    }
  }

  /** Copies {@code [from, to)} of an array. */
  public void add(long nameTicks, long nameLsb, byte[] source, int from, int to) {
    if (packed != null) {
      copyPacked(packed);
    }
    name(nameTicks, nameLsb, to - from);
    copy(source, from, to - from);
  }

  /** Copies the columns at positions {@code [from, to)}, or their names and lengths alone. */
  public void addAll(Columns pack, int from, int to) {
    for (int i = from; i < to; i++) {
      name(pack.ticks(i), pack.lsb(i), pack.length(i));
    }
    if (pack.bytes().length > 0 && from < to) {
      int start = pack.offset(from);
      int length = pack.offset(to - 1) + pack.length(to - 1) - start;
      copy(pack.bytes(), start, length);
    }
  }

  private void copyPacked(byte[] source) {
    int from = offsets[0];
    for (int i = 0; i <= size; i++) {
      offsets[i] -= from;
    }
    packed = null;
    copy(source, from, offsets[size]);
  }

  private void copy(byte[] source, int from, int length) {
    int end = offsets[size];
    byte[] bytes = copied();
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, grown(bytes.length)));
      copied = bytes;
    }
    System.arraycopy(source, from, bytes, end - length, length);
  }

  private byte[] copied() {
    byte[] bytes = copied;
    if (bytes == null) {
      bytes = new byte[bytesCapacity];
      copied = bytes;
    }
    return bytes;
  }

  private byte[] payloads() {
    return packed == null ? copied() : packed;
  }

  private void name(long nameTicks, long nameLsb, int length) {
    if (size == ticks.length) {
      int capacity = grown(size);
      ticks = Arrays.copyOf(ticks, capacity);
      lsbs = Arrays.copyOf(lsbs, capacity);
      offsets = Arrays.copyOf(offsets, capacity + 1);
    }
    ascending =
        ascending
            && (size == 0
                || TimeUuid.compare(ticks[size - 1], lsbs[size - 1], nameTicks, nameLsb) < 0);
    ticks[size] = nameTicks;
    lsbs[size] = nameLsb;
    offsets[size + 1] = Math.addExact(offsets[size], length);
    size++;
  }

  private static int grown(int length) {
    return Math.max(16, length + (length >> 1));
  }

  /** Returns the columns sorted by name; of two payloads under one name, the larger stays. */
  public Columns build() {
    if (size == 0) {
      return Columns.EMPTY;
    }
    return ascending ? Columns.ofPacked(ticks, lsbs, offsets, payloads(), size) : sorted();
  }

  private Columns sorted() {
    byte[] bytes = payloads();
    Columns unsorted = Columns.unordered(ticks, lsbs, offsets, bytes, size);
    int[] order = new NameSort(ticks, lsbs, size).order();
    ColumnsBuilder out = new ColumnsBuilder(size, bytes.length == 0 ? 0 : payloadBytes());
    for (int i = 0; i < size; ) {
      int best = order[i];
      int next = i + 1;
      while (next < size && sameName(best, order[next])) {
        if (Columns.comparePayloads(unsorted, best, unsorted, order[next]) < 0) {
          best = order[next];
        }
        next++;
      }
      out.addAll(unsorted, best, best + 1);
      i = next;
    }
    return out.build();
  }

  private boolean sameName(int a, int b) {
    return ticks[a] == ticks[b] && lsbs[a] == lsbs[b];
  }
}
