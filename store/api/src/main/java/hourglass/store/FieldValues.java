package hourglass.store;

import hourglass.bytes.Spans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The values of fields in part of a row, in no order. An engine that keeps fields apart counts the
 * columns with equal values, and returns the payloads of the other columns. Each column that
 * matches is in one of the two. Not thread-safe.
 *
 * <pre>
 *   step   values of two fields     count
 *   0      "web-1"      200         12
 *   0      "web-2"                  1        absent from the payload
 *   1      "web-1"      200         7
 * </pre>
 */
public final class FieldValues {
  private final int fields;
  private byte[] bytes = new byte[1 << 10];

  /** The ends of each entry's values, one field after the other. An absent value has no bytes. */
  private int[] ends;

  private int[] steps = new int[1 << 7];
  private int[] counts = new int[1 << 7];
  private int size;
  private final List<Columns> whole = new ArrayList<>();

  /** Creates an empty answer for this number of fields. */
  public FieldValues(int fields) {
    this.fields = fields;
    ends = new int[Math.max(1, fields) << 7];
  }

  /**
   * Adds columns that match for certain. Equal values may be added again. If a value is an object,
   * only its first byte is used.
   *
   * @param places the places of the JSON values
   */
  public void add(int step, byte[] json, Spans places, int count) {
    if (size == counts.length) {
      steps = Arrays.copyOf(steps, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
      ends = Arrays.copyOf(ends, 2 * ends.length);
    }
    int value = size * fields;
    int end = value == 0 ? 0 : ends[value - 1];
    for (int f = 0; f < fields; f++) {
      int from = places.start(f);
      int length = places.end(f) - from;
      if (end + length > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(end + length, 2 * bytes.length));
      }
      System.arraycopy(json, from, bytes, end, length);
      end += length;
      ends[value++] = end;
    }
    steps[size] = step;
    counts[size++] = count;
  }

  /** Adds columns that may match, and must be judged by their payloads. */
  public void addWhole(Columns columns) {
    if (!columns.isEmpty()) {
      whole.add(columns);
    }
  }

  public int size() {
    return size;
  }

  public int step(int i) {
    return steps[i];
  }

  public int count(int i) {
    return counts[i];
  }

  /** All values, one after the other. */
  public byte[] bytes() {
    return bytes;
  }

  public int start(int i, int field) {
    int value = i * fields + field;
    return value == 0 ? 0 : ends[value - 1];
  }

  /** The end of a value, which equals its start if the field is absent. */
  public int end(int i, int field) {
    return ends[i * fields + field];
  }

  public List<Columns> whole() {
    return whole;
  }
}
