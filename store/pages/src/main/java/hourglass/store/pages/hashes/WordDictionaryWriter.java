package hourglass.store.pages.hashes;

import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Collects the words of pages for their {@link WordDictionary}, in four megabytes of memory at
 * most. It keeps memory outside the heap until {@link #close}. Not thread-safe; reused.
 */
public final class WordDictionaryWriter implements AutoCloseable {
  /**
   * The most distinct words. A dictionary is searched as a whole: this many take a millisecond or
   * less.
   */
  private static final int WORDS_MAX = 1 << 16;

  /** The most bytes of words. */
  private static final int BYTES_MAX = 1 << 20;

  /** The divisor of the bytes of its pages that gives the most bytes of a dictionary. */
  private static final int SHARE = 32;

  private final CompressedBytes frames = new CompressedBytes(WordDictionary.LEVEL);
  private final PageOutput text = new PageOutput();
  private final PageOutput out = new PageOutput();
  private final DistinctHashes known = new DistinctHashes(WORDS_MAX, 2 * WORDS_MAX);
  private byte[] bytes = new byte[1 << 12];
  private int[] ends = new int[1 << 10];
  private int count;
  private long pageBytes;
  private boolean isFull;
  private final int share;

  /** Creates a writer without any pages. */
  public WordDictionaryWriter() {
    this(SHARE);
  }

  /**
   * Creates a writer.
   *
   * @param share the divisor of the bytes of its pages that gives the most bytes of a dictionary
   */
  public WordDictionaryWriter(int share) {
    this.share = share;
  }

  /** Begins a dictionary without any pages. */
  public void clear() {
    count = 0;
    pageBytes = 0;
    isFull = false;
  }

  /** Adds the words of the next page. */
  public void add(WordList words) {
    pageBytes += words.pageBytes();
    if (count == 0 && words.count() > 0) {
      // This zeroes a megabyte, so it waits for a page with words: many commits have none.
      known.clear(WORDS_MAX);
    }
    for (int i = 0; i < words.count() && !isFull; i++) {
      switch (known.add(words.hash(i))) {
        case NEW -> append(words, i);
        case KNOWN -> {}
        case FULL -> isFull = true;
      }
    }
  }

  private void append(WordList words, int i) {
    int from = start(count);
    int length = words.end(i) - words.start(i);
    if (from + length > BYTES_MAX) {
      isFull = true;
      return;
    }
    if (from + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (from + length));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    System.arraycopy(words.bytes(), words.start(i), bytes, from, length);
    ends[count++] = from + length;
  }

  private int start(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  /** Returns the dictionary; empty if it would take too large a share of its pages. */
  public byte[] toBytes() {
    if (isFull) {
      return new byte[0];
    }
    int[] order =
        IntStream.range(0, count)
            .boxed()
            .sorted(
                (a, b) ->
                    Arrays.compareUnsigned(bytes, start(a), ends[a], bytes, start(b), ends[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    out.clear();
    write(order, false);
    write(order, true);
    return out.size() > pageBytes / share ? new byte[0] : out.toBytes();
  }

  /** Writes the words with ids, or those without. */
  private void write(int[] order, boolean withIds) {
    text.clear();
    int before = -1;
    for (int i : order) {
      if (hasId(i) == withIds) {
        int shared = before < 0 ? 0 : shared(before, i);
        text.putByte(shared);
        text.putBytes(bytes, start(i) + shared, ends[i] - start(i) - shared);
        text.putByte(WordDictionary.END);
        before = i;
      }
    }
    frames.write(text.array(), 0, text.size(), out);
  }

  /** Returns the number of bytes with which two words begin. */
  private int shared(int a, int b) {
    int differing = Arrays.mismatch(bytes, start(a), ends[a], bytes, start(b), ends[b]);
    return differing < 0 ? ends[b] - start(b) : differing;
  }

  private boolean hasId(int i) {
    for (int at = start(i); at < ends[i]; at++) {
      if (bytes[at] == WordForm.ID) {
        return true;
      }
    }
    return false;
  }

  /** Frees the memory outside the heap. */
  @Override
  public void close() {
    frames.close();
  }
}
