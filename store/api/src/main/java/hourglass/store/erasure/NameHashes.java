package hourglass.store.erasure;

import hourglass.store.Columns;
import java.util.Arrays;
import java.util.List;

/**
 * Hashes of erased names, by which a repeated event is recognised when its name is not stored any
 * more. Immutable.
 *
 * <p>A name is hashed twice: as a whole, and without its time, since the repeat of an event without
 * a time may get another time. Each hash has 64 bits: with all remembered columns in one hour, one
 * of 4 * 10^12 other events would be taken for a repeat.
 *
 * @param sorted ascending, without repeats; must not be modified
 */
@SuppressWarnings("ArrayRecordComponent") // a compact set, never compared
public record NameHashes(long[] sorted) {
  public static final NameHashes NONE = new NameHashes(new long[0]);

  public NameHashes {
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i - 1] >= sorted[i]) {
        throw new IllegalArgumentException("hashes of names: number " + i + " does not ascend");
      }
    }
  }

  /** Returns the hashes of whole names. */
  public static NameHashes ofNames(Columns names) {
    NameHasher hasher = new NameHasher();
    long[] hashes = new long[names.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = hasher.ofName(names.ticks(i), names.lsb(i));
    }
    return ofUnsorted(hashes);
  }

  /** Returns the hashes of names without their times. */
  public static NameHashes ofIdentities(List<Columns> rows) {
    NameHasher hasher = new NameHasher();
    long[] hashes = new long[rows.stream().mapToInt(Columns::size).sum()];
    int size = 0;
    for (Columns names : rows) {
      for (int i = 0; i < names.size(); i++) {
        hashes[size++] = hasher.ofIdentity(names.lsb(i));
      }
    }
    return ofUnsorted(hashes);
  }

  private static NameHashes ofUnsorted(long[] hashes) {
    Arrays.sort(hashes);
    int size = 0;
    for (int i = 0; i < hashes.length; i++) {
      if (i == 0 || hashes[i] != hashes[i - 1]) {
        hashes[size++] = hashes[i];
      }
    }
    return new NameHashes(size == hashes.length ? hashes : Arrays.copyOf(hashes, size));
  }

  /** Returns the hashes of all of them. */
  public static NameHashes union(List<NameHashes> all) {
    if (all.size() == 1) {
      return all.get(0);
    }
    long[] hashes = new long[all.stream().mapToInt(NameHashes::size).sum()];
    int size = 0;
    for (NameHashes each : all) {
      System.arraycopy(each.sorted, 0, hashes, size, each.size());
      size += each.size();
    }
    return ofUnsorted(hashes);
  }

  public int size() {
    return sorted.length;
  }

  boolean hasName(long ticks, long lsb, NameHasher hasher) {
    return Arrays.binarySearch(sorted, hasher.ofName(ticks, lsb)) >= 0;
  }

  boolean hasIdentity(long lsb, NameHasher hasher) {
    return Arrays.binarySearch(sorted, hasher.ofIdentity(lsb)) >= 0;
  }
}
