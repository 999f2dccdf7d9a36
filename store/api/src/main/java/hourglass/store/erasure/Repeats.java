package hourglass.store.erasure;

import hourglass.bucketing.TimeUuid;
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

  /** The names of erased events that got their time from the store, perhaps a new one. */
  private final Set<TimeUuid> untimed = new HashSet<>();

  private long count;

  Repeats(RememberedColumns remembered, FirstTimes firstTimes) {
    this.remembered = remembered;
    this.firstTimes = firstTimes;
    for (int i = 0; i < firstTimes.size(); i++) {
      if (remembered.identities().hasIdentity(firstTimes.lsb(i))) {
        untimed.add(new TimeUuid(firstTimes.ticks(i), firstTimes.lsb(i)));
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
    return (hashes != null && hashes.hasName(columns.ticks(i), columns.lsb(i)))
        || (!untimed.isEmpty() && untimed.contains(columns.id(i)));
  }

  /** Returns the first times of the events that are left. */
  FirstTimes leaveOutFirstTimes() {
    if (untimed.isEmpty()) {
      return firstTimes;
    }
    int[] left = IntStream.range(0, firstTimes.size()).filter(i -> !isUntimed(i)).toArray();
    return new FirstTimes(
        IntStream.of(left).mapToLong(firstTimes::lsb).toArray(),
        IntStream.of(left).mapToLong(firstTimes::more).toArray(),
        IntStream.of(left).mapToLong(firstTimes::ticks).toArray());
  }

  private boolean isUntimed(int i) {
    return untimed.contains(new TimeUuid(firstTimes.ticks(i), firstTimes.lsb(i)));
  }
}
