package hourglass.store.pages.hashes;

import java.util.Arrays;

/**
 * The distinct forms of the words in a page, as {@link WordForm} has them, for the {@link
 * WordDictionary} of several pages, and the page's marks. It lacks the forms of whole ids and of
 * long words, which have marks. Not thread-safe; reused.
 */
public final class WordList {
  private byte[] bytes = {};
  private int[] ends = {};
  private long[] hashes = {};
  private int count;
  private long marks;
  private int pageBytes;

  void clear() {
    count = 0;
    marks = 0;
  }

  /** Adds a mark of {@link WordHash}. */
  void addMark(int kind) {
    marks |= 1L << kind;
  }

  /** Removes all words, but keeps the marks. */
  void clearWords() {
    count = 0;
  }

  /** Sets the bytes that the page takes. */
  public void setPageBytes(int bytes) {
    pageBytes = bytes;
  }

  /** Returns the marks of the page, as bits by their kinds; see docs/page-format.md. */
  public long marks() {
    return marks;
  }

  /** Returns the bytes that the page takes. */
  int pageBytes() {
    return pageBytes;
  }

  void add(WordForm form, long hash) {
    if (count == ends.length) {
      int room = Math.max(1 << 10, 2 * count);
      ends = Arrays.copyOf(ends, room);
      hashes = Arrays.copyOf(hashes, room);
    }
    int from = start(count);
    int end = from + form.length();
    if (end > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * end);
    }
    System.arraycopy(form.bytes(), 0, bytes, from, form.length());
    ends[count] = end;
    hashes[count++] = hash;
  }

  int count() {
    return count;
  }

  byte[] bytes() {
    return bytes;
  }

  int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  int end(int i) {
    return ends[i];
  }

  long hash(int i) {
    return hashes[i];
  }
}
