package hourglass.store.embedded.codec;

import java.util.Arrays;

/** The positions of a field's values in the payloads, in the order of columns. Reused. */
final class Field {
  /** Start in the upper half, end in the lower. */
  private long[] spans = new long[2048];

  private int count;

  void clear() {
    count = 0;
  }

  void add(int start, int end) {
    if (count == spans.length) {
      spans = Arrays.copyOf(spans, 2 * count);
    }
    spans[count++] = (long) start << Integer.SIZE | end;
  }

  void removeLast() {
    count--;
  }

  int count() {
    return count;
  }

  int start(int i) {
    return (int) (spans[i] >>> Integer.SIZE);
  }

  int end(int i) {
    return (int) spans[i];
  }

  int length(int i) {
    return end(i) - start(i);
  }
}
