package hourglass.store.pages.hashes;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.PageInput;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The distinct forms of the words in several pages: which words contain a part, such as the first
 * and the last of a text. The hashes of these words then tell the pages.
 *
 * <pre>
 *   +------------------------------------+-----------------------------------+
 *   | words without ids, sorted: a run   | forms with ids, in the same way   |
 *   | of bytes, see {@link CompressedBytes}      |                                   |
 *   +------------------------------------+-----------------------------------+
 *
 *   word    bytes that it shares with the beginning of the word before: 1 | its other bytes | 10
 * </pre>
 *
 * Words without ids are searched as one text, forms with ids one by one, each with an automaton
 * whose states are bits of a word: R. Baeza-Yates, G. Gonnet: A New Approach to Text Searching,
 * 1992. Not thread-safe; reused.
 */
public final class WordDictionary implements AutoCloseable {
  /** The byte after each word, which no word contains. */
  static final byte END = '\n';

  /** The level of zstd; front coding leaves little for a higher one. */
  static final int LEVEL = 1;

  /** The most words that are looked up for a part. More of them exclude few pages. */
  private static final int FOUND_MAX = 64;

  /** The most bytes of one text; the writer has fewer. */
  private static final int TEXT_BYTES_MAX = 1 << 21;

  /** The longest arrays that are kept for the next dictionary: each thread that reads has two. */
  private static final int KEPT_BYTES_MAX = 1 << 18;

  private final CompressedBytes frames = new CompressedBytes(LEVEL);

  /** The words, with a line feed before each and after the last. */
  private byte[] words = {};

  private int wordsEnd;
  private byte[] forms = {};
  private int formsEnd;

  private final long[] found = new long[FOUND_MAX];
  private int foundCount;

  /**
   * Reads a dictionary.
   *
   * @throws hourglass.store.CorruptException if its bytes are damaged
   */
  public void reset(byte[] dictionary, int length) {
    PageInput in = new PageInput(dictionary, 0, length);
    byte[] packed = frames.readUpTo(in, "words", TEXT_BYTES_MAX, 0);
    words = CompressedBytes.room(words, unpackedBytes(packed));
    wordsEnd = unpack(packed, words);
    packed = frames.readUpTo(in, "forms of words", TEXT_BYTES_MAX, 0);
    forms = CompressedBytes.room(forms, unpackedBytes(packed));
    formsEnd = unpack(packed, forms);
    in.finish();
  }

  /** Forgets the dictionary, and frees the memory of a large one. */
  public void clear() {
    wordsEnd = 0;
    formsEnd = 0;
    words = words.length > KEPT_BYTES_MAX ? new byte[0] : words;
    forms = forms.length > KEPT_BYTES_MAX ? new byte[0] : forms;
  }

  /** Returns the bytes of words with a line feed each, and one before the first. */
  private static int unpackedBytes(byte[] packed) {
    int bytes = 1;
    int length = 0;
    for (int at = 0; at < packed.length; at++) {
      int shared = packed[at];
      int end = ByteWords.find(END, packed, at + 1, packed.length);
      if (shared < 0 || shared > length || end < 0) {
        throw new CorruptException("index: a word of the dictionary shares " + shared + " bytes");
      }
      length = shared + end - at - 1;
      bytes += length + 1;
      if (length > WordForm.BYTES_MAX || bytes > TEXT_BYTES_MAX) {
        throw new CorruptException("index: a word of the dictionary has " + length + " bytes");
      }
      at = end;
    }
    return bytes;
  }

  private static int unpack(byte[] packed, byte[] to) {
    to[0] = END;
    int out = 1;
    int before = 1;
    for (int at = 0; at < packed.length; at++) {
      int start = out;
      for (int shared = packed[at++]; shared > 0; shared--) {
        to[out++] = to[before++];
      }
      while (packed[at] != END) {
        to[out++] = packed[at++];
      }
      to[out++] = END;
      before = start;
    }
    return out;
  }

  /** Returns the hashes of the words that have a part; null if there are too many. */
  long @Nullable [] find(WordPart part) {
    foundCount = 0;
    byte[] text = part.bytes();
    // The words of a longer part have long ids: their forms are found by its beginning.
    boolean isCut = text.length > WordForm.BYTES_MAX;
    byte[] beginning = isCut ? Arrays.copyOf(text, WordForm.BYTES_MAX) : text;
    boolean ends = part.ends() && !isCut;
    return findWords(beginning, part.begins(), ends) && findForms(beginning, part.begins(), ends)
        ? Arrays.copyOf(found, foundCount)
        : null;
  }

  /** Adds a word; false if there is no room. */
  private boolean add(byte[] bytes, int from, int to) {
    if (foundCount == FOUND_MAX) {
      return false;
    }
    found[foundCount++] = ValueHash.word(bytes, from, to);
    return true;
  }

  private boolean findWords(byte[] text, boolean begins, boolean ends) {
    ByteSearch search = new ByteSearch(withEnds(text, begins, ends), false);
    int at = search.find(words, 0, wordsEnd);
    while (at >= 0) {
      int from = begins ? at + 1 : at;
      while (words[from - 1] != END) {
        from--;
      }
      int to = ByteWords.find(END, words, at + 1, wordsEnd);
      if (!add(words, from, to)) {
        return false;
      }
      at = search.find(words, to, wordsEnd);
    }
    return true;
  }

  private static byte[] withEnds(byte[] text, boolean begins, boolean ends) {
    int before = begins ? 1 : 0;
    byte[] bytes = new byte[before + text.length + (ends ? 1 : 0)];
    Arrays.fill(bytes, END);
    System.arraycopy(text, 0, bytes, before, text.length);
    return bytes;
  }

  private boolean findForms(byte[] text, boolean begins, boolean ends) {
    long start = begins ? 0 : 1;
    long[] places = new long[256];
    for (int i = 0; i < text.length; i++) {
      places[text[i] & 0xff] |= 1L << i;
    }
    for (int from = 1, to; from < formsEnd; from = to + 1) {
      to = ByteWords.find(END, forms, from, formsEnd);
      if (has(text, places, start, ends, from, to) && !add(forms, from, to)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a form in {@code [from, to)} may have a part. Bit {@code i} of the state is set if the
   * first {@code i} bytes of the part match up to here.
   *
   * @param places the positions in the part of each byte, as bits
   * @param start the state that each byte of the form adds
   */
  private boolean has(byte[] text, long[] places, long start, boolean ends, int from, int to) {
    long all = 1L << text.length;
    long state = 1;
    for (int at = from; at < to && (ends || (state & all) == 0); at++) {
      state =
          start
              | (forms[at] == WordForm.ID
                  ? afterId(state, text)
                  : (state & places[forms[at] & 0xff]) << 1);
    }
    return (state & all) != 0;
  }

  /** The state after an id, which may be any hexadecimal digits of the part. */
  private static long afterId(long state, byte[] text) {
    long after = state;
    for (int i = 0; i < text.length; i++) {
      if ((after >>> i & 1) != 0 && WordHash.isHex(text[i])) {
        after |= 1L << i + 1;
      }
    }
    return after;
  }

  /** Frees the memory outside the heap. */
  @Override
  public void close() {
    frames.close();
  }
}
