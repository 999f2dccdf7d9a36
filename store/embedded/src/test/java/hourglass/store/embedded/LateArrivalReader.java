package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A column as notes tell of it: the same in all rows of its hour and type.
 *
 * @param name its hour is that of its row
 */
record LateArrivalReader(String type, TimeUuid name) implements Comparable<LateArrivalReader> {

  @Override
  public int compareTo(LateArrivalReader other) {
    int byName = name.compareTo(other.name);
    return byName != 0 ? byName : type.compareTo(other.type);
  }

  static List<LateArrivalReader> of(RowKey row, Columns columns) {
    List<LateArrivalReader> all = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      all.add(new LateArrivalReader(row.type(), columns.id(i)));
    }
    return all;
  }

  static List<LateArrivalReader> of(Mutation mutation) {
    return of(mutation.row(), mutation.columns());
  }

  /** All notes of a store behind a place, asked for in parts of any size. */
  static List<LateArrivalReader> behind(
      WideColumnStore store, LateArrivalPlace after, Random random) {
    List<LateArrivalReader> all = new ArrayList<>();
    LateArrivalPlace place = after;
    LateArrivalPlace last = LateArrivalPlace.START;
    boolean more = true;
    while (more) {
      LateArrivals found =
          Expectation.await(
              store.lateArrivals(place, 1 + random.nextInt(1 + random.nextInt(5_000))));
      assertThat(found.unsettled()).as("of a store that nobody writes to").isEmpty();
      for (LateArrival note : found.settled()) {
        assertThat(note.place()).isGreaterThan(last);
        last = note.place();
        all.addAll(of(note.row(), note.names()));
      }
      place = found.settledEnd();
      more = found.more();
    }
    return all;
  }

  /** Every column of a store, once for each hour and type. */
  static Set<LateArrivalReader> columnsOf(WideColumnStore store) {
    Set<LateArrivalReader> all = new TreeSet<>();
    for (Hour hour : Expectation.await(store.hours(Hour.FIRST, Hour.LAST))) {
      for (RowEntry entry : Expectation.await(store.rows(hour))) {
        for (Columns columns : Expectation.read(store, entry.row(), Order.ASCENDING)) {
          all.addAll(of(entry.row(), columns));
        }
      }
    }
    return all;
  }
}
