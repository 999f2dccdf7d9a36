package hourglass.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The values of a field in part of a row, in no order. An engine that keeps fields apart counts
 * values; of other columns, it returns the payloads. Each column is in one of the two. Not
 * thread-safe.
 */
public final class FieldValues {
  private byte[] bytes = new byte[1 << 10];
  private int[] ends = new int[1 << 7];
  private int[] counts = new int[1 << 7];
  private int size;
  private long absent;
  private final List<Columns> whole = new ArrayList<>();

  /**
   * Adds columns with the JSON value in {@code [from, to)}. Equal values may be added again. Of an
   * object, only its first byte counts.
   */
  public void add(byte[] json, int from, int to, int count) {
    int start = start(size);
    int end = start + to - from;
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
    }
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
    }
    System.arraycopy(json, from, bytes, start, to - from);
    ends[size] = end;
    counts[size++] = count;
  }

  /** Adds columns without the field. */
  public void addAbsent(int count) {
    absent += count;
  }

  public void addWhole(Columns columns) {
    if (!columns.isEmpty()) {
      whole.add(columns);
    }
  }

  public void addAll(FieldValues others) {
    for (int i = 0; i < others.size; i++) {
      add(others.bytes, others.start(i), others.end(i), others.count(i));
    }
    absent += others.absent;
    whole.addAll(others.whole);
  }

  public int size() {
    return size;
  }

  /** All values one after the other. */
  public byte[] bytes() {
    return bytes;
  }

  public int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  public int end(int i) {
    return ends[i];
  }

  public int count(int i) {
    return counts[i];
  }

  public long absent() {
    return absent;
  }

  public List<Columns> whole() {
    return whole;
  }
}
