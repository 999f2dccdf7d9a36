package hourglass.store.embedded.codec;

import hourglass.store.FieldFilter;
import hourglass.store.FieldValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the {@link ValueFilter} of a page must have: one hash of each array. Immutable.
 *
 * @param filter that requires them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RequiredHashes(FieldFilter filter, long[][] hashes) {
  static RequiredHashes of(FieldFilter filter) {
    return new RequiredHashes(
        filter, filter.required().stream().map(RequiredHashes::of).toArray(long[][]::new));
  }

  /** Of the values, and of those that stand for values without a hash. */
  private static long[] of(List<FieldValue> oneOf) {
    Set<Long> hashes = new LinkedHashSet<>();
    oneOf.forEach(value -> hashes.add(ValueHash.of(value)));
    oneOf.forEach(value -> hashes.add(ValueHash.other(ValueHash.key(value))));
    return hashes.stream().mapToLong(Long::longValue).toArray();
  }
}
