package hourglass.store.embedded.late;

import hourglass.store.Columns;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowPart;
import java.util.BitSet;
import java.util.List;

/**
 * A Bloom filter of the names in a type hour, for unordered loads; the bits of a name are in one
 * cache line. See F. Putze, P. Sanders, J. Singler: Cache-, Hash- and Space-Efficient Bloom
 * Filters, 2007. It is built once look-ups have cost more than the build, and updated on use.
 * Thread-safe.
 *
 * <pre>
 * block   word 0 | word 1 | ... | word 7       a bit of each word stands for a name
 * </pre>
 */
public final class NameBloomFilter {
  private static final int WORDS = 8;

  /** The bits of a name, with which about one of 50,000 absent names seems present. */
  private static final int BITS_PER_NAME = 32;

  private static final int NAMES_MIN = 1 << 14;

  /**
   * The number of times that all names may be read before the filter is built; more would cost more
   * than building it.
   */
  private static final int READINGS_MAX = 2;

  private final long bytesMax;
  private long[] words = new long[0];
  private volatile long bytes;

  /** The newest group whose columns are in the filter. */
  private long group = -1;

  private long capacity;

  private long names;

  /** The number of names that were read while there was no filter. */
  private long namesRead;

  /**
   * Creates a filter of at most {@code bytesMax} bytes. If more names are added than fit, false
   * positives become more frequent.
   */
  public NameBloomFilter(long bytesMax) {
    this.bytesMax = bytesMax;
  }

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
   * Returns the positions of names that may be present. The group must be visible before the rows
   * are listed.
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

  private int block(long hash) {
    long blocks = words.length / WORDS;
    return (int) ((hash >>> 32) * blocks >>> 32) * WORDS;
  }

  /**
   * The bit of a name in a word. It is six bits of a second product for each word, as the block
   * uses the upper bits of the hash.
   */
  private static long bit(long hash, int word) {
    long drawn = hash * 0x9e3779b97f4a7c15L;
    return 1L << (drawn >>> 16 + 6 * word);
  }

  /** Mixes a name with the finalizer of SplitMix64. */
  private static long hash(long ticks, long lsb) {
    long z = ticks * 0xd1342543de82ef95L + lsb;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** The memory of the filter. Does not wait for a build. */
  public long bytes() {
    return bytes;
  }
}
