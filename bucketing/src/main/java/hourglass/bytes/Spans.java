package hourglass.bytes;

/**
 * Places of numbered values in an array of bytes: value {@code n} is in {@code [start(n), end(n))}.
 * An absent value has the end 0. Not thread-safe.
 */
public final class Spans {
  /** The start of value {@code n} at {@code 2n}, and its end after it. */
  private final int[] bounds;

  /** Creates spans of so many values, which are absent. */
  public Spans(int size) {
    bounds = new int[2 * size];
  }

  /** Returns spans of one value. */
  public static Spans of(int start, int end) {
    Spans one = new Spans(1);
    one.set(0, start, end);
    return one;
  }

  /** Returns the number of values, including absent ones. */
  public int size() {
    return bounds.length / 2;
  }

  public int start(int value) {
    return bounds[2 * value];
  }

  public int end(int value) {
    return bounds[2 * value + 1];
  }

  public boolean has(int value) {
    return bounds[2 * value + 1] != 0;
  }

  public void set(int value, int start, int end) {
    bounds[2 * value] = start;
    bounds[2 * value + 1] = end;
  }
}
