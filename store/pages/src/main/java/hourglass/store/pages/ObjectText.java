package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;

/**
 * A value that is the text of an object behind it in the same payload, as a JSON string: with a
 * backslash before each quote and each backslash.
 *
 * <pre>
 *   {"message":"{\"user\":7}","json":{"user":7}}
 *               ^^^^^^^^^^^^         ^^^^^^^^^^    two bytes longer
 * </pre>
 *
 * Such a value takes no place in a page. The description has two varints:
 *
 * @param from where the object begins in the parts of its shape, one after the other
 * @param to where it ends there
 */
record ObjectText(int from, int to) {
  static ObjectText read(PageInput description) {
    int from = description.getCount("start of an object", Integer.MAX_VALUE);
    return new ObjectText(from, description.getCount("end of an object", Integer.MAX_VALUE));
  }

  void describe(PageOutput description) {
    description.putVarint(from);
    description.putVarint(to);
  }

  /** Whether {@code [from, to)} of a string is the text of an object, as it is written here. */
  static boolean isTextOf(byte[] bytes, int from, int to, int objectFrom, int objectTo) {
    return endOf(bytes, from, to, objectFrom, objectTo) == to;
  }

  /**
   * Where the text of {@code [objectFrom, objectTo)} ends, if it begins at {@code from} of a string
   * that ends at {@code to}; -1 if it does not.
   */
  static int endOf(byte[] bytes, int from, int to, int objectFrom, int objectTo) {
    int at = from;
    int of = objectFrom;
    while (of < objectTo) {
      long word = ByteWords.head(bytes, of);
      int plain = Math.min(ByteWords.quoteOrBackslash(word), objectTo - of);
      long difference = word ^ ByteWords.head(bytes, at);
      if (Long.numberOfTrailingZeros(difference) >>> 3 < plain) {
        return -1;
      }
      at += plain;
      of += plain;
      if (plain < Long.BYTES && of < objectTo) {
        if (at >= to || bytes[at] != '\\' || bytes[at + 1] != bytes[of]) {
          return -1;
        }
        at += 2;
        of++;
      }
    }
    return at <= to ? at : -1;
  }

  /**
   * Writes the text of the object {@code [from, to)} of another array. Both have {@link
   * ByteWords#SLACK} after their ends.
   */
  static int write(byte[] object, int from, int to, byte[] out, int start, int end) {
    int at = start;
    int of = from;
    while (of < to) {
      if (at > end) {
        throw new CorruptException("page: values are longer than the payloads together");
      }
      long word = ByteWords.get(object, of);
      ByteWords.set(out, at, word);
      int plain = Math.min(ByteWords.quoteOrBackslash(word), to - of);
      at += plain;
      of += plain;
      if (plain < Long.BYTES && of < to) {
        out[at++] = '\\';
        out[at++] = object[of++];
      }
    }
    return at;
  }
}
