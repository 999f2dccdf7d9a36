package hourglass.store.rows;

import hourglass.store.pages.PageCodec.ValueSink;
import hourglass.store.pages.hashes.WordDictionaryWriter;
import hourglass.store.pages.hashes.WordList;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects the values of pages for their {@link ValueIndex}. It keeps memory outside the heap until
 * {@link #close}. Not thread-safe; reused.
 */
public final class ValueIndexWriter implements ValueSink, AutoCloseable {
  /**
   * The number of values at which an index is full. With the arrays that sort them, they need some
   * ten megabytes of memory. A page adds up to 50,176.
   */
  private static final int VALUES_FULL = 1 << 19;

  /**
   * The most bytes of a value: ten bits and the ones before them, which all values of a block
   * share.
   */
  private static final int VALUE_BYTES_MAX = 2;

  private static final int BLOCK_BYTES_MAX =
      ValueIndex.BLOCK_HEADER_BYTES + (1 << ValueIndex.BLOCK_VALUES_LOG - 3) + Long.BYTES;

  private final int pagesMax;

  /** The upper halves of hashes, with the numbers of pages in the lower halves. */
  private long[] values = new long[1 << 12];

  private int count;
  private int pages;

  /** The marks of all pages. */
  private long marks;

  private final WordDictionaryWriter dictionary = new WordDictionaryWriter();

  private int[] sorted = new int[0];
  private byte[] out = new byte[0];
  private ByteBuffer ints = ValueIndex.words(out);
  private int at;

  /** The bits that are not written yet, from the lowest on. */
  private long bits;

  private int bitCount;

  /** Creates a writer of indexes with up to 128 pages. */
  public ValueIndexWriter() {
    this(ValueIndex.PAGES_MAX);
  }

  /**
   * Creates a writer.
   *
   * @param pagesMax the most pages of an index, 1 to 128
   */
  public ValueIndexWriter(int pagesMax) {
    this.pagesMax = pagesMax;
  }

  public int pages() {
    return pages;
  }

  /** Whether no further page may be added, since it has too many pages or values. */
  public boolean isFull() {
    return pages == pagesMax || count >= VALUES_FULL;
  }

  public void clear() {
    count = 0;
    pages = 0;
    marks = 0;
    dictionary.clear();
  }

  /** Adds the values and words of the next page. */
  @Override
  public void accept(long[] hashes, int size, WordList words) {
    marks |= words.marks();
    dictionary.add(words);
    int page = pages++;
    if (values.length < count + size) {
      values = Arrays.copyOf(values, Math.max(2 * values.length, count + size));
    }
    for (int i = 0; i < size; i++) {
      values[count++] = hashes[i] & -1L << Integer.SIZE | page;
    }
  }

  /** Returns the index of the pages since {@link #clear}, of which there must be at least one. */
  public byte[] toBytes() {
    int blocks = Math.max(1, count >>> ValueIndex.BLOCK_VALUES_LOG);
    int rice = ValueIndex.rice(pages);
    int[] ends = sortByBlock(blocks, rice);
    int blocksAt = ValueIndex.HEADER_BYTES + (blocks + 1) * Integer.BYTES;
    byte[] words = dictionary.toBytes();
    int bytesMax = blocksAt + blocks * BLOCK_BYTES_MAX + count * VALUE_BYTES_MAX + words.length;
    if (out.length < bytesMax) {
      out = new byte[bytesMax];
      ints = ValueIndex.words(out);
    }
    at = blocksAt;
    for (int block = 0; block < blocks; block++) {
      ints.putInt(ValueIndex.HEADER_BYTES + block * Integer.BYTES, at);
      int from = block == 0 ? 0 : ends[block - 1];
      Arrays.sort(sorted, from, ends[block]);
      putBlock(block, from, ends[block], rice);
    }
    ints.putInt(blocksAt - Integer.BYTES, at);
    System.arraycopy(words, 0, out, at, words.length);
    at += words.length;
    putHeader(blocks, words);
    return Arrays.copyOf(out, at);
  }

  /**
   * Sorts the values by block, and returns the ends of blocks in {@link #sorted}. Each entry there
   * has a hash in its upper bits, and the number of its page below.
   */
  private int[] sortByBlock(int blocks, int rice) {
    int[] ends = new int[blocks];
    for (int i = 0; i < count; i++) {
      ends[ValueIndex.blockOf(ValueIndex.place(values[i], blocks))]++;
    }
    for (int block = 0, end = 0; block < blocks; block++) {
      end += ends[block];
      ends[block] = end - ends[block];
    }
    if (sorted.length < count) {
      sorted = new int[values.length];
    }
    for (int i = 0; i < count; i++) {
      long place = ValueIndex.place(values[i], blocks);
      int hash = ValueIndex.hashIn(place, rice);
      sorted[ends[ValueIndex.blockOf(place)]++] = hash << Byte.SIZE | (int) values[i];
    }
    return ends;
  }

  private void putBlock(int block, int from, int to, int rice) {
    int start = at;
    at += ValueIndex.BLOCK_HEADER_BYTES;
    int pageBits = ValueIndex.pageBits(pages);
    int shorter = (1 << pageBits) - pages;
    int before = 0;
    for (int i = from; i < to; i++) {
      int hash = sorted[i] >>> Byte.SIZE;
      int page = sorted[i] & 0xff;
      for (int ones = hash - before >>> rice; ones > 0; ones--) {
        put(1, 1);
      }
      put(hash - before << 1 & (2 << rice) - 1, rice + 1); // begins with the zero after the ones
      int coded = page + shorter;
      if (page < shorter) {
        put(page, pageBits - 1);
      } else if (pageBits > 0) {
        put(coded >>> 1 | (coded & 1) << pageBits - 1, pageBits);
      }
      before = hash;
    }
    put(0xff, -bitCount & 7);
    ints.putInt(
        start, ValueIndex.blockChecksum(block, out, start + ValueIndex.BLOCK_HEADER_BYTES, at));
  }

  private void put(int value, int width) {
    bits |= (value & (1L << width) - 1) << bitCount;
    bitCount += width;
    for (; bitCount >= Byte.SIZE; bitCount -= Byte.SIZE, bits >>>= Byte.SIZE) {
      out[at++] = (byte) bits;
    }
  }

  private void putHeader(int blocks, byte[] words) {
    Arrays.fill(out, 0, ValueIndex.HEADER_BYTES, (byte) 0);
    ints.putInt(0, ValueIndex.MAGIC);
    out[ValueIndex.VERSION_AT] = ValueIndex.VERSION;
    out[ValueIndex.PAGES_AT] = (byte) (pages - 1);
    ints.putInt(ValueIndex.BLOCKS_AT, blocks);
    ints.putLong(ValueIndex.MARKS_AT, marks);
    if (words.length > 0) {
      ints.putInt(ValueIndex.DICTIONARY_BYTES_AT, words.length);
      ints.putInt(
          ValueIndex.DICTIONARY_CHECKSUM_AT,
          ValueIndex.blockChecksum(blocks, words, 0, words.length));
    }
    ints.putInt(ValueIndex.CHECKSUM_AT, ValueIndex.headerChecksum(out));
  }

  /** Frees the memory outside the heap. */
  @Override
  public void close() {
    dictionary.close();
  }
}
