package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.CountQuery;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import hourglass.store.embedded.disk.SystemDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Opens a directory and asks for everything; what is answered must be right. One use. */
final class Reading {
  private final Map<RowKey, TreeMap<TimeUuid, byte[]>> expected;

  /** Refusals of the store, with their reasons. */
  final List<RuntimeException> refusals = new ArrayList<>();

  Reading(Map<RowKey, TreeMap<TimeUuid, byte[]>> expected) {
    this.expected = expected;
  }

  /**
   * Compares all answers.
   *
   * @throws AssertionError if one is wrong, or refused in another way than as damaged
   */
  Reading of(Path dir) {
    ask(
        () -> {
          try (EmbeddedStore store = SampleStore.open(dir, new SystemDisk())) {
            readAll(store);
          }
        });
    return this;
  }

  private void readAll(EmbeddedStore store) {
    for (Hour hour : expected.keySet().stream().map(RowKey::hour).distinct().toList()) {
      answer(() -> store.rows(hour), rows -> checkRows(hour, rows));
    }
    answer(() -> store.lateArrivals(LateArrivalPlace.START, Integer.MAX_VALUE), this::checkNotes);
    for (RowKey row : expected.keySet()) {
      ask(() -> checkColumns(row, Expectation.read(store, row, Order.ASCENDING)));
      ask(() -> checkColumns(row, reversed(Expectation.read(store, row, Order.DESCENDING))));
      answer(() -> store.count(CountQuery.all(row)), counts -> checkCounts(row, counts));
      ask(() -> checkNames(store, row));
    }
  }

  private interface Answer<T> {
    void check(T answer);
  }

  private <T> void answer(Supplier<CompletionStage<T>> question, Answer<T> answer) {
    ask(() -> answer.check(Expectation.await(question.get())));
  }

  private void ask(Runnable question) {
    try {
      question.run();
    } catch (CorruptException | UnavailableException e) {
      refusals.add(e);
    }
  }

  private void checkRows(Hour hour, List<RowEntry> rows) {
    List<RowKey> there = expected.keySet().stream().filter(r -> r.hour().equals(hour)).toList();
    assertThat(rows).extracting(RowEntry::row).as("rows of %s", hour).isEqualTo(there);
    for (RowEntry entry : rows) {
      TreeMap<TimeUuid, byte[]> columns = expected.get(entry.row());
      assertThat(entry.first()).isEqualTo(columns.firstKey());
      assertThat(entry.last()).isEqualTo(columns.lastKey());
      assertThat(entry.columns()).as("columns of %s", entry.row()).isEqualTo(columns.size());
      assertThat(entry.bytes()).as("bytes of %s", entry.row()).isEqualTo(bytes(columns));
    }
  }

  /** All of it came late. */
  private void checkNotes(LateArrivals arrivals) {
    Set<LateArrivalReader> noted = new TreeSet<>();
    for (LateArrival note : arrivals.settled()) {
      for (LateArrivalReader column : LateArrivalReader.of(note.row(), note.names())) {
        assertThat(noted.add(column)).as("%s is noted once", column).isTrue();
      }
    }
    Set<LateArrivalReader> written = new TreeSet<>();
    expected.forEach(
        (row, columns) ->
            columns.keySet().forEach(name -> written.add(new LateArrivalReader(row.type(), name))));
    if (arrivals.truncated()) {
      noted.removeAll(written);
      assertThat(noted).as("notes of nothing, of which some are gone").isEmpty();
    } else {
      assertThat(noted).as("notes").isEqualTo(written);
    }
  }

  private static long bytes(TreeMap<TimeUuid, byte[]> columns) {
    return columns.values().stream().mapToLong(payload -> payload.length).sum();
  }

  private static List<Columns> reversed(List<Columns> slices) {
    List<Columns> ascending = new ArrayList<>();
    slices.forEach(slice -> ascending.add(0, slice));
    return ascending;
  }

  private void checkColumns(RowKey row, List<Columns> slices) {
    List<TimeUuid> names = new ArrayList<>();
    for (Columns slice : slices) {
      for (int i = 0; i < slice.size(); i++) {
        names.add(slice.id(i));
        assertThat(slice.payload(i)).as("payload in %s", row).isEqualTo(payload(row, slice.id(i)));
      }
    }
    assertThat(names).as("names of %s", row).isEqualTo(List.copyOf(expected.get(row).keySet()));
  }

  private byte[] payload(RowKey row, TimeUuid name) {
    byte[] payload = expected.get(row).get(name);
    if (payload == null) {
      throw new AssertionError(name + " was never written to " + row);
    }
    return payload;
  }

  private void checkCounts(RowKey row, RowCounts counts) {
    assertThat(counts.columns()).as("count of %s", row).isEqualTo(expected.get(row).size());
    assertThat(counts.bytes()).as("bytes of %s", row).isEqualTo(bytes(expected.get(row)));
  }

  private void checkNames(WideColumnStore store, RowKey row) {
    SliceQuery query =
        new SliceQuery(
            row,
            ColumnRange.of(row.hour()),
            Order.ASCENDING,
            1_000_000,
            SliceQuery.Projection.NAMES);
    Columns names = Expectation.await(store.slice(query)).columns();
    for (int i = 0; i < names.size(); i++) {
      assertThat(names.length(i)).isEqualTo(payload(row, names.id(i)).length);
    }
  }
}
