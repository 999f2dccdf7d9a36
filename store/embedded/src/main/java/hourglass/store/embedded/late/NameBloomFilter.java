package hourglass.store.embedded.late;

import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.rows.Row;
import hourglass.store.embedded.rows.RowPart;
import java.util.BitSet;
import java.util.List;

/**
 * Tells which names an hour's rows of a type cannot have, so that a load that comes in no order
 * does not read all of them for each batch: a Bloom filter, one cache line a name (F. Putze, P.
 * Sanders, J. Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007). It is made once that
 * has cost more than making it would, and brought up to date when it is asked. Thread-safe.
 *
 * <pre>
 * block   word 0 | word 1 | ... | word 7       a bit of each word stands for a name
 * </pre>
 */
public final class NameBloomFilter {
  private static final int WORDS = 8;

  /** With so many bits a name, one of some 50,000 others is taken for it. */
  private static final int BITS_PER_NAME = 32;

  private static final int NAMES_MIN = 1 << 14;

  /** Reading names of the rows this many times over costs more than making a filter. */
  private static final int READINGS_MAX = 2;

  private final long bytesMax;
  private long[] words = new long[0];
  private volatile long bytes;

  /** Columns of groups up to this are in it. */
  private long group = -1;

  /** How many names it was made for, and how many it has. */
  private long capacity;

  private long names;

  /** Names that were read for want of it. */
  private long namesRead;

  /**
   * @param bytesMax memory that it may take; with more names than fit it is less sure
   */
  public NameBloomFilter(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /**
   * Whether to ask it rather than read parts of rows.
   *
   * @param readNames names of the parts that would be read
   */
  public synchronized boolean pays(long readNames, List<Row> rows) {
    if (words.length > 0) {
      return true;
    }
    namesRead += readNames;
    return namesRead > READINGS_MAX * count(rows);
  }

  private static long count(List<Row> rows) {
    return rows.stream().flatMap(row -> row.content().parts()).mapToLong(RowPart::count).sum();
  }

  /**
   * The positions of names that may be there.
   *
   * @param shownGroup a group whose columns, and those before, were visible before the rows were
   *     listed
   */
  public synchronized BitSet possible(Columns late, List<Row> rows, long shownGroup) {
    if (words.length == 0) {
      make(rows);
    }
    update(rows);
    if (names > capacity && bytes < bytesMax) {
      make(rows);
      update(rows);
    }
    group = Math.max(group, shownGroup);
    BitSet possible = new BitSet();
    for (int i = 0; i < late.size(); i++) {
      if (has(late.ticks(i), late.lsb(i))) {
        possible.set(i);
      }
    }
    return possible;
  }

  /** Begins anew, with room for twice what there is. */
  private void make(List<Row> rows) {
    long wanted = Math.max(NAMES_MIN, 2 * count(rows));
    long blockBytes = 8L * WORDS;
    long blocks = Math.min(wanted * BITS_PER_NAME / 8, bytesMax) / blockBytes;
    words = new long[(int) Math.max(1, blocks) * WORDS];
    bytes = 8L * words.length;
    capacity = wanted;
    names = 0;
    group = -1;
  }

  /** Adds the parts that have columns of groups that are not in it. */
  private void update(List<Row> rows) {
    for (Row row : rows) {
      row.content()
          .parts()
          .filter(part -> part.group() > group)
          .forEach(part -> add(part.load(Projection.NAMES)));
    }
  }

  private void add(Columns columns) {
    for (int i = 0; i < columns.size(); i++) {
      long hash = hash(columns.ticks(i), columns.lsb(i));
      int block = block(hash);
      boolean isNew = false;
      for (int word = 0; word < WORDS; word++) {
        long bit = bit(hash, word);
        isNew |= (words[block + word] & bit) == 0;
        words[block + word] |= bit;
      }
      names += isNew ? 1 : 0;
    }
  }

  private boolean has(long ticks, long lsb) {
    long hash = hash(ticks, lsb);
    int block = block(hash);
    for (int word = 0; word < WORDS; word++) {
      if ((words[block + word] & bit(hash, word)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** The block by the upper 32 bits, as a share of all. */
  private int block(long hash) {
    long blocks = words.length / WORDS;
    return (int) ((hash >>> 32) * blocks >>> 32) * WORDS;
  }

  /** Six bits for each word, drawn anew from the hash: its own are used up by the block. */
  private static long bit(long hash, int word) {
    long drawn = hash * 0x9e3779b97f4a7c15L;
    return 1L << (drawn >>> 16 + 6 * word);
  }

  /** The finalizer of SplitMix64, over both halves. */
  private static long hash(long ticks, long lsb) {
    long z = ticks * 0xd1342543de82ef95L + lsb;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** What it takes of memory; does not wait for it to be made. */
  public long bytes() {
    return bytes;
  }
}
