package hourglass.query;

import hourglass.store.Slice;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A slice as a walk gets it.
 *
 * @param slice as the store has it
 * @param taken the columns that the query's filter takes; null if nobody has looked: then the merge
 *     does. Not to be changed.
 */
record SiftedSlice(Slice slice, @Nullable BitSet taken) {}
