package hourglass.store.embedded.late;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The late columns of a write that were in their rows before. Looked up ahead of the log's thread,
 * which then reads few pages. Immutable.
 *
 * @param group parts with columns of later groups may not have been read
 * @param beforeTicks columns from this tick on were not looked up
 * @param byMutation the positions of duplicate names, for each mutation; null if there are none
 */
public record DuplicateNames(long group, long beforeTicks, @Nullable List<BitSet> byMutation) {
  /** No column was looked up. */
  public static final DuplicateNames NOT_ASKED = new DuplicateNames(-1, Long.MIN_VALUE, null);

  /** The number of columns of a mutation that were looked up, from the first on. */
  int asked(Mutation mutation) {
    return mutation.columns().countBefore(beforeTicks);
  }

  /** The positions of a mutation's duplicates; a copy that the caller may change. */
  BitSet of(int mutation) {
    return byMutation == null ? new BitSet() : (BitSet) byMutation.get(mutation).clone();
  }

  /** Marks the positions of names that are in both, in one pass over their overlap. */
  static void mark(Columns late, Columns there, BitSet found) {
    if (late.isEmpty() || there.isEmpty()) {
      return;
    }
    int at = late.lowerBound(there.first());
    int i = at == late.size() ? there.size() : there.lowerBound(late.id(at));
    while (at < late.size() && i < there.size()) {
      int order = TimeUuid.compare(late.ticks(at), late.lsb(at), there.ticks(i), there.lsb(i));
      if (order == 0) {
        found.set(at);
      }
      at += order <= 0 ? 1 : 0;
      i += order >= 0 ? 1 : 0;
    }
  }
}
