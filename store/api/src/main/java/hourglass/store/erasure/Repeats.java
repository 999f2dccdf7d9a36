package hourglass.store.erasure;

import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.FirstTimes;
import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds repeats of erased columns in one write, and leaves them out. Used by one thread. */
final class Repeats {
  private final RememberedColumns remembered;
  private final FirstTimes firstTimes;

  /**
   * The lower halves of the names of erased events without a time. The times in their names may be
   * others than before: those of this attempt.
   */
  private final Set<Long> untimed = new HashSet<>();

  private final NameHasher hasher = new NameHasher();

  private long count;

  Repeats(RememberedColumns remembered, FirstTimes firstTimes) {
    this.remembered = remembered;
    this.firstTimes = firstTimes;
    for (int i = 0; i < firstTimes.size(); i++) {
      if (remembered.identities().hasIdentity(firstTimes.lsb(i), hasher)) {
        untimed.add(firstTimes.lsb(i));
      }
    }
  }

  /** Returns the number of columns that were left out. */
  long count() {
    return count;
  }

  List<Mutation> leaveOut(List<Mutation> mutations) {
    List<Mutation> rest = new ArrayList<>();
    for (Mutation mutation : mutations) {
      Columns columns = leaveOut(mutation);
      if (columns == mutation.columns()) {
        rest.add(mutation);
      } else if (!columns.isEmpty()) {
        rest.add(new Mutation(mutation.row(), columns));
      }
    }
    return rest;
  }

  private Columns leaveOut(Mutation mutation) {
    NameHashes hashes = remembered.names().get(mutation.row().typeHour());
    if (hashes == null && untimed.isEmpty()) {
      return mutation.columns();
    }
    Columns columns = mutation.columns();
    ColumnsBuilder rest = new ColumnsBuilder(columns.size(), columns.payloadBytes());
    for (int i = 0; i < columns.size(); i++) {
      if (!isErased(hashes, columns, i)) {
        rest.addAll(columns, i, i + 1);
      }
    }
    if (rest.size() == columns.size()) {
      return columns;
    }
    count += columns.size() - rest.size();
    return rest.build();
  }

  private boolean isErased(@Nullable NameHashes hashes, Columns columns, int i) {
    return (hashes != null && hashes.hasName(columns.ticks(i), columns.lsb(i), hasher))
        || (!untimed.isEmpty() && untimed.contains(columns.lsb(i)));
  }

  /** Returns the first times of the events that are left. */
  FirstTimes leaveOutFirstTimes() {
    if (untimed.isEmpty()) {
      return firstTimes;
    }
    int[] left = IntStream.range(0, firstTimes.size()).filter(i -> !isUntimed(i)).toArray();
    return firstTimes.some(left);
  }

  /** Returns whether an event without a time was erased. */
  boolean isUntimed(int i) {
    return untimed.contains(firstTimes.lsb(i));
  }
}
