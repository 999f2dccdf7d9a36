package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.PageCodec.PageBytes;
import hourglass.store.pages.hashes.RequiredHashes;
import hourglass.store.pages.runs.PageOutput;
import java.util.zip.CRC32C;

/**
 * A Bloom filter of the values in a page, at the page's end. With it, pages without a value are
 * left out. Only one block is read for a value, as all its bits are in that block. See F. Putze, P.
 * Sanders, J. Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007.
 *
 * <pre>
 *   +---------------------------------------+------------------+--------------------+
 *   | blocks: 480 bits | CRC32C of them     | how many blocks  | CRC32C of how many |
 *   | 60               | 4                  | 2                | 4                  |
 *   +---------------------------------------+------------------+--------------------+
 *
 *   block   (hash >>> 32) * how many >>> 32
 *   bits    four: each 16 bits of mix(hash), from the lowest on, * 480 >>> 16
 * </pre>
 *
 * Not thread-safe.
 */
final class ValueFilter {
  static final int BLOCK_BYTES = 64;
  static final int BLOCKS_MAX = 0xffff;

  private static final int BITS_BYTES = BLOCK_BYTES - Integer.BYTES;
  private static final int BITS_PER_VALUE = 4;
  private static final int TRAILER_BYTES = Short.BYTES + Integer.BYTES;

  private final byte[] read = new byte[BLOCK_BYTES];

  /** Appends a filter of the first {@code count} hashes. */
  static void write(long[] hashes, int count, int blocks, PageOutput out) {
    int start = out.size();
    out.putZeros(blocks * BLOCK_BYTES);
    byte[] bytes = out.array();
    for (int i = 0; i < count; i++) {
      int block = start + block(hashes[i], blocks);
      long drawn = ByteWords.mix(hashes[i]);
      for (int n = 0; n < BITS_PER_VALUE; n++, drawn >>>= Short.SIZE) {
        int bit = bit(drawn);
        bytes[block + (bit >>> 3)] |= (byte) (1 << (bit & 7));
      }
    }
    for (int block = start; block < out.size(); block += BLOCK_BYTES) {
      ByteWords.setInt(bytes, block + BITS_BYTES, checksum(bytes, block, BITS_BYTES));
    }
    out.putByte(blocks);
    out.putByte(blocks >>> Byte.SIZE);
    out.putInt(checksum(out.array(), out.size() - Short.BYTES, Short.BYTES));
  }

  /** The position at which the filter of a page begins. */
  static int start(byte[] page) {
    return start(page, page.length - TRAILER_BYTES, page.length);
  }

  private static int start(byte[] trailer, int at, int pageLength) {
    int blocks = trailer[at] & 0xff | (trailer[at + 1] & 0xff) << Byte.SIZE;
    int start = pageLength - TRAILER_BYTES - blocks * BLOCK_BYTES;
    if (blocks == 0 || start < PageHeader.FIXED_BYTES) {
      throw new CorruptException(
          "page: a filter of " + blocks + " blocks in a page of " + pageLength + " bytes");
    }
    if (ByteWords.getInt(trailer, at + Short.BYTES) != checksum(trailer, at, Short.BYTES)) {
      throw new CorruptException("page: the length of its filter does not match its checksum");
    }
    return start;
  }

  /** Whether the page may contain the values that a payload must have to match. */
  boolean mayMatch(PageBytes page, RequiredHashes required) {
    int trailer = page.length() - TRAILER_BYTES;
    page.read(trailer, read, TRAILER_BYTES);
    int start = start(read, 0, page.length());
    int blocks = (trailer - start) / BLOCK_BYTES;
    for (RequiredHashes.OneOf oneOf : required.all()) {
      // A filter has no dictionary, so any page may have a part of a word.
      if (oneOf.parts().isEmpty() && !hasAny(page, start, blocks, oneOf.own())) {
        return false;
      }
    }
    return true;
  }

  private boolean hasAny(PageBytes page, int start, int blocks, long[] hashes) {
    for (long hash : hashes) {
      page.read(start + block(hash, blocks), read, BLOCK_BYTES);
      if (ByteWords.getInt(read, BITS_BYTES) != checksum(read, 0, BITS_BYTES)) {
        throw new CorruptException("page: a block of its filter does not match its checksum");
      }
      if (blockHas(hash)) {
        return true;
      }
    }
    return false;
  }

  private boolean blockHas(long hash) {
    long drawn = ByteWords.mix(hash);
    for (int n = 0; n < BITS_PER_VALUE; n++, drawn >>>= Short.SIZE) {
      int bit = bit(drawn);
      if ((read[bit >>> 3] & 1 << (bit & 7)) == 0) {
        return false;
      }
    }
    return true;
  }

  private static int block(long hash, int blocks) {
    return (int) ((hash >>> Integer.SIZE) * blocks >>> Integer.SIZE) * BLOCK_BYTES;
  }

  private static int bit(long drawn) {
    return (int) (drawn & 0xffff) * (BITS_BYTES * Byte.SIZE) >>> Short.SIZE;
  }

  private static int checksum(byte[] page, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(page, from, length);
    return (int) crc.getValue();
  }
}
