package hourglass.store.embedded.erasure;

import hourglass.bucketing.TimeUuid;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.RememberedColumns;
import org.jspecify.annotations.Nullable;

/**
 * An erasure as its file has it. Immutable.
 *
 * @param number that of the file
 * @param columns how many columns it hides or has erased
 * @param hidden the columns, whose bytes may still be there; null once they are gone
 * @param remembered the hashes of the columns
 * @param doneMillis the time at which the bytes were gone, since 1970; 0 before
 */
record StoredErasure(
    long number,
    TimeUuid id,
    int columns,
    @Nullable Erasure hidden,
    RememberedColumns remembered,
    long doneMillis) {

  static StoredErasure begun(long number, Erasure erasure) {
    return new StoredErasure(
        number, erasure.id(), erasure.columns(), erasure, RememberedColumns.of(erasure), 0);
  }

  /** Returns the same without the columns, of which only the hashes are left. */
  StoredErasure done(long millis) {
    return new StoredErasure(number, id, columns, null, remembered, millis);
  }
}
