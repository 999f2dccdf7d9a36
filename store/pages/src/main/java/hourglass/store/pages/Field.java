package hourglass.store.pages;

import hourglass.store.pages.hashes.ValueHash;
import java.util.Arrays;

/** The positions of a field's values in the payloads, in the order of columns. Reused. */
final class Field {
  /** The positions of values: the start in the upper half, the end in the lower. */
  private long[] spans = new long[2048];

  private int count;
  private long key;
  private byte kind;
  private boolean hasKey;

  void clear() {
    count = 0;
    hasKey = false;
  }

  /** Sets the {@link ValueHash} of the last key to the values, and their kind. */
  void setKey(long hash, byte kindOf) {
    key = hash;
    kind = kindOf;
    hasKey = true;
  }

  void checkKey(long hash, byte kindOf) {
    hasKey &= key == hash && kind == kindOf; // two paths may have one hash
  }

  boolean hasKey() {
    return hasKey;
  }

  long key() {
    return key;
  }

  byte kind() {
    return kind;
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
