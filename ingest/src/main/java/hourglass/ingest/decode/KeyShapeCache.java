package hourglass.ingest.decode;

import hourglass.bytes.ByteWords;

/**
 * Caches the keys of an object by their places, since the next object mostly has the same keys. One
 * or two comparisons of eight bytes then find a key. Not thread-safe.
 *
 * <p>Only keys of up to thirteen ASCII characters are cached, without escapes or white space before
 * the colon.
 */
final class KeyShapeCache {
  private static final int PLACES = 64;

  private static final int LENGTH_MAX = 2 * Long.BYTES;
  private static final long BEYOND_ASCII = 0x8080808080808080L;

  // These describe the key at each place, from quote to colon: its length, first eight bytes and
  // their mask, and last eight bytes.
  private final int[] lengths = new int[PLACES];
  private final long[] heads = new long[PLACES];
  private final long[] masks = new long[PLACES];
  private final long[] tails = new long[PLACES];
  private final int[] slots = new int[PLACES];

  KeyShapeCache() {
    forget();
  }

  void forget() {
    for (int place = 0; place < PLACES; place++) {
      // This head and mask match no text.
      heads[place] = 1;
      masks[place] = 0;
    }
  }

  /**
   * Compares the text with the key that is cached for a place. Returns the position after its colon
   * if they are equal, or -1.
   */
  int pass(int place, byte[] b, int at) {
    int i = place & PLACES - 1;
    if ((ByteWords.get(b, at) & masks[i]) != heads[i]) {
      return -1;
    }
    int end = at + lengths[i];
    return lengths[i] <= Long.BYTES || ByteWords.get(b, end - Long.BYTES) == tails[i] ? end : -1;
  }

  int slots(int place) {
    return slots[place & PLACES - 1];
  }

  /** Caches the key {@code [from, to)}, from its quote to its colon, if it is short and plain. */
  void remember(int place, byte[] b, int from, int to, int namedSlots) {
    int length = to - from;
    if (length > LENGTH_MAX) {
      return;
    }
    int i = place & PLACES - 1;
    long head = ByteWords.head(b, from, length);
    long tail = length > Long.BYTES ? ByteWords.get(b, to - Long.BYTES) : 0;
    if (((head | tail) & BEYOND_ASCII) == 0) {
      lengths[i] = length;
      heads[i] = head;
      masks[i] = length < Long.BYTES ? (1L << length * Byte.SIZE) - 1 : -1;
      tails[i] = tail;
      slots[i] = namedSlots;
    }
  }
}
