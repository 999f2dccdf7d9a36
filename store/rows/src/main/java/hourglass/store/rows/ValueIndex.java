package hourglass.store.rows;

import hourglass.store.CorruptException;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.pages.hashes.RequiredHashes.OneOf;
import hourglass.store.pages.hashes.WordDictionary;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Finds which of several pages may contain a value or word, without a look at each page. For each
 * value and word of each page, the index contains a part of the value's hash, and the number of the
 * page. See docs/value-index-format.md.
 *
 * <pre>
 *   +--------+---------------------------------+---------+---------+-----+----------------+
 *   | header | starts of the blocks, and the   | block 0 | block 1 | ... | dictionary, a  |
 *   | 32     | end of the last: each 4         |         |         |     | WordDictionary |
 *   +--------+---------------------------------+---------+---------+-----+----------------+
 *
 *   header   "HGvi" | version 4 | pages less 1: 1 | 0 0 | CRC32C of the other 28 bytes
 *            | blocks 4 | bytes of the dictionary, 0 without one 4 | CRC32C of it 4
 *            | marks of the pages, as bits 8
 *   block    CRC32C of its number and the rest of it 4 | the values, in order | ones up to a byte
 *   value    hash less the one before: its bits above rice as so many ones and a zero, rice bits
 *            | page: one bit less for the first 2^bits - pages of them
 *
 *   block    (hash >>> 32) * blocks >>> 32
 *   hash     of the 32 bits below: the 7 + rice highest
 *   bits     the least that number all pages      rice   9 - bits
 * </pre>
 *
 * Not thread-safe. It keeps memory outside the heap until {@link #close}.
 */
public final class ValueIndex implements AutoCloseable {
  public static final int PAGES_MAX = 128;

  public static final int MAGIC = 0x69764748; // "HGvi"
  static final int VERSION = 4;

  static final int VERSION_AT = 4;
  static final int PAGES_AT = 5;
  public static final int CHECKSUM_AT = 8;
  static final int BLOCKS_AT = 12;
  static final int DICTIONARY_BYTES_AT = 16;
  static final int DICTIONARY_CHECKSUM_AT = 20;
  static final int MARKS_AT = 24;
  public static final int HEADER_BYTES = MARKS_AT + Long.BYTES;
  static final int BLOCK_HEADER_BYTES = Integer.BYTES;

  /** The average number of values in a block, as a power of two. A block is read as a whole. */
  static final int BLOCK_VALUES_LOG = 7;

  /**
   * The bits of a value for its page and its rice bits together. With 128 pages, one of four absent
   * values seems to be in one of them; with fewer pages, fewer do.
   */
  private static final int PAGE_AND_RICE_BITS = 9;

  /**
   * The largest block that is read. It exceeds all values of an index together: a sender may have
   * chosen them so that all are in one block.
   */
  private static final int BLOCK_BYTES_MAX = 1 << 20;

  /** The largest dictionary that is read; a written one has a third of this. */
  private static final int DICTIONARY_BYTES_MAX = 1 << 22;

  /** Created at its first use: most questions need none, and each thread has a reader. */
  private @Nullable WordDictionary dictionary;

  private byte[] block = new byte[1 << 10];

  /**
   * The header, and the starts of all blocks: some 80 bytes a page. It is kept for later questions.
   *
   * @param starts the starts of the blocks, and the end of the last; must not be changed
   * @param dictionaryBytes the length of the dictionary after the last block; 0 if there is none
   * @param marks the marks that any of the pages has, as bits by their kinds
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Head(int pages, int[] starts, int dictionaryBytes, int dictionaryChecksum, long marks) {
    int blocks() {
      return starts.length - 1;
    }

    int bytes() {
      return HEADER_BYTES + starts.length * Integer.BYTES;
    }
  }

  public static ByteBuffer words(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static int pageBits(int pages) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(pages - 1);
  }

  static int rice(int pages) {
    return PAGE_AND_RICE_BITS - pageBits(pages);
  }

  /**
   * Returns the block of a value in the upper half, and the value's place in it in the lower half.
   */
  static long place(long hash, int blocks) {
    return (hash >>> Integer.SIZE) * blocks;
  }

  static int blockOf(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  static int hashIn(long place, int rice) {
    return (int) place >>> Integer.SIZE - BLOCK_VALUES_LOG - rice;
  }

  /** The checksum by which an index is listed. */
  public static int checksum(byte[] index) {
    return index.length < HEADER_BYTES ? 0 : words(index).getInt(CHECKSUM_AT);
  }

  /**
   * Returns the number of pages of an index by its header.
   *
   * @throws CorruptException if the header is damaged
   */
  public static int pages(byte[] index) {
    return head(PageBytes.of(index), checksum(index)).pages();
  }

  public static int headerChecksum(byte[] index) {
    CRC32C crc = new CRC32C();
    crc.update(index, 0, CHECKSUM_AT);
    crc.update(index, BLOCKS_AT, HEADER_BYTES - BLOCKS_AT);
    return (int) crc.getValue();
  }

  /** The checksum of a block's number and its bytes after the checksum. */
  static int blockChecksum(int number, byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      crc.update(number >>> shift);
    }
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  /**
   * Reads the head of an index.
   *
   * @param checksum the listed checksum of the header
   * @throws CorruptException if this is another index, or its head is damaged
   */
  static Head head(PageBytes index, int checksum) {
    if (index.length() < HEADER_BYTES) {
      throw new CorruptException("index: not the one listed");
    }
    byte[] header = new byte[HEADER_BYTES];
    index.read(0, header, HEADER_BYTES);
    ByteBuffer words = words(header);
    if (words.getInt(0) != MAGIC
        || words.getInt(CHECKSUM_AT) != checksum
        || headerChecksum(header) != checksum) {
      throw new CorruptException("index: not the one listed");
    }
    int version = header[VERSION_AT];
    if (version != VERSION) {
      throw new CorruptException("index: version " + version + " is unknown");
    }
    int blocks = words.getInt(BLOCKS_AT);
    if (blocks < 0 || blocks >= (index.length() - HEADER_BYTES) / Integer.BYTES) {
      throw new CorruptException("index: too short for " + blocks + " blocks");
    }
    byte[] starts = new byte[(blocks + 1) * Integer.BYTES];
    index.read(HEADER_BYTES, starts, starts.length);
    int[] all = new int[blocks + 1];
    words(starts).asIntBuffer().get(all);
    return new Head(
        header[PAGES_AT] + 1,
        all,
        words.getInt(DICTIONARY_BYTES_AT),
        words.getInt(DICTIONARY_CHECKSUM_AT),
        words.getLong(MARKS_AT));
  }

  /**
   * Checks every byte of an index.
   *
   * @param checksum the listed checksum of the header
   * @throws CorruptException if this is another index, or a byte of it is damaged
   */
  public static void check(byte[] index, int checksum) {
    Head head = head(PageBytes.of(index), checksum);
    int end = head.bytes();
    for (int number = 0; number < head.blocks(); number++) {
      int from = head.starts[number];
      int to = head.starts[number + 1];
      if (from != end || to < from + BLOCK_HEADER_BYTES || to > index.length) {
        throw damaged(number);
      }
      int found = words(index).getInt(from);
      if (found != blockChecksum(number, index, from + BLOCK_HEADER_BYTES, to)) {
        throw damaged(number);
      }
      end = to;
    }
    int dictionaryBytes = head.dictionaryBytes();
    if (head.starts[head.blocks()] != end || end != index.length - dictionaryBytes) {
      throw new CorruptException(
          "index: %s bytes after its blocks, not a dictionary of %s"
              .formatted(index.length - end, dictionaryBytes));
    }
    if (dictionaryBytes != 0) {
      checkDictionary(head, index, end, index.length);
    }
  }

  private static void checkDictionary(Head head, byte[] bytes, int from, int to) {
    if (blockChecksum(head.blocks(), bytes, from, to) != head.dictionaryChecksum) {
      throw new CorruptException("index: the dictionary does not match its checksum");
    }
  }

  /**
   * Finds the pages that may contain a hash or word of each list. The dictionary is read if a list
   * has a part of a word, unless the other lists and hashes tell which pages are left.
   *
   * @throws CorruptException if a block that is read, or the dictionary, is damaged
   */
  BitSet find(PageBytes index, Head head, List<OneOf> required) {
    BitSet found = new BitSet(PAGES_MAX);
    found.set(0, head.pages);
    for (OneOf oneOf : required) {
      if (oneOf.parts().isEmpty() && !found.isEmpty()) {
        found = pages(index, head, oneOf.own(head.marks), found);
      }
    }
    List<OneOf> withParts = required.stream().filter(oneOf -> !oneOf.parts().isEmpty()).toList();
    return head.dictionaryBytes == 0 ? found : findParts(index, head, withParts, found);
  }

  /** Finds those of some pages that may contain a hash or part of each list. */
  private BitSet findParts(PageBytes index, Head head, List<OneOf> required, BitSet of) {
    BitSet found = of;
    WordDictionary words = null;
    for (OneOf oneOf : required) {
      BitSet kept = pages(index, head, oneOf.own(head.marks), found);
      if (kept.equals(found)) {
        continue;
      }
      words = words == null ? readDictionary(index, head) : words;
      long[] hashes = oneOf.ofParts(words);
      if (hashes != null) {
        kept.or(pages(index, head, hashes, found));
        found = kept;
      }
    }
    if (words != null) {
      words.clear();
    }
    return found;
  }

  /** Returns those of some pages that may contain one of the hashes. */
  private BitSet pages(PageBytes index, Head head, long[] hashes, BitSet of) {
    BitSet pages = new BitSet(PAGES_MAX);
    for (long hash : hashes) {
      find(index, head, place(hash, head.blocks()), pages);
    }
    pages.and(of);
    return pages;
  }

  private WordDictionary readDictionary(PageBytes index, Head head) {
    int from = head.starts[head.blocks()];
    int length = head.dictionaryBytes;
    if (from < HEADER_BYTES
        || length < 0
        || length > DICTIONARY_BYTES_MAX
        || from != index.length() - length) {
      throw new CorruptException("index: no dictionary of " + length + " bytes at " + from);
    }
    byte[] bytes = new byte[length];
    index.read(from, bytes, length);
    checkDictionary(head, bytes, 0, length);
    WordDictionary words = dictionary == null ? new WordDictionary() : dictionary;
    dictionary = words;
    words.reset(bytes, length);
    return words;
  }

  /** Frees the memory outside the heap. */
  @Override
  public void close() {
    if (dictionary != null) {
      dictionary.close();
    }
  }

  private void find(PageBytes index, Head head, long place, BitSet into) {
    int number = blockOf(place);
    if (number >= head.blocks()) {
      throw damaged(number);
    }
    int from = head.starts[number];
    int length = head.starts[number + 1] - from;
    if (from < HEADER_BYTES
        || length < BLOCK_HEADER_BYTES
        || length > BLOCK_BYTES_MAX
        || from > index.length() - length) {
      throw damaged(number);
    }
    if (block.length < length + Long.BYTES) {
      block = new byte[2 * length + Long.BYTES];
    }
    index.read(from, block, length);
    ByteBuffer words = words(block);
    if (words.getInt(0) != blockChecksum(number, block, Integer.BYTES, length)) {
      throw damaged(number);
    }
    find(words, length * Byte.SIZE, head.pages, hashIn(place, rice(head.pages)), into);
  }

  private static CorruptException damaged(int block) {
    return new CorruptException("index: block " + block + " does not match its checksum");
  }

  private static void find(ByteBuffer block, int end, int pages, int sought, BitSet into) {
    int rice = rice(pages);
    int pageBits = pageBits(pages);
    int shorter = (1 << pageBits) - pages;
    int hash = 0;
    for (int bit = BLOCK_HEADER_BYTES * Byte.SIZE; ; ) {
      for (; bit < end && (block.get(bit >>> 3) >>> (bit & 7) & 1) != 0; bit++) {
        hash += 1 << rice;
      }
      if (hash > sought || ++bit > end) {
        return;
      }
      int bits = (int) (block.getLong(bit >>> 3) >>> (bit & 7));
      hash += bits & (1 << rice) - 1;
      bits >>>= rice;
      bit += rice + pageBits;
      int page = 0;
      if (pageBits > 0) {
        page = bits & (1 << pageBits - 1) - 1;
        if (page < shorter) {
          bit--;
        } else {
          page = (page << 1 | bits >>> pageBits - 1 & 1) - shorter;
        }
      }
      if (hash == sought && bit <= end) {
        into.set(page);
      }
    }
  }
}
