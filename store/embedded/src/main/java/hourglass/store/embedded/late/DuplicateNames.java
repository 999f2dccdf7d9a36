package hourglass.store.embedded.late;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which late columns of a write were there before, looked up ahead of it so that the log's thread
 * need not read pages. Immutable.
 *
 * @param group parts of rows with columns of later groups were perhaps not looked at
 * @param beforeTicks columns from this tick on were not looked up
 * @param byMutation the positions of known names, for each mutation; null: of none
 */
public record DuplicateNames(long group, long beforeTicks, @Nullable List<BitSet> byMutation) {
  /** Nothing was looked up. */
  public static final DuplicateNames NOT_ASKED = new DuplicateNames(-1, Long.MIN_VALUE, null);

  /** How many columns of a mutation were looked up, from the first on. */
  int asked(Mutation mutation) {
    return mutation.columns().countBefore(beforeTicks);
  }

  /** The known ones of a mutation; to be changed by its caller only if it is a copy. */
  BitSet of(int mutation) {
    return byMutation == null ? new BitSet() : (BitSet) byMutation.get(mutation).clone();
  }

  /** Marks the positions of names that are in both, in one pass over where they overlap. */
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
