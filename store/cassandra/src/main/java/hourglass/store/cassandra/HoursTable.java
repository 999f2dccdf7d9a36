package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.RetentionClass;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The table {@code hours}: the existing hours, with generations and retention classes. */
final class HoursTable {
  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement selectHour;
  private final PreparedStatement selectRange;
  private final PreparedStatement deleteBefore;

  HoursTable(Cql cql) {
    this.cql = cql;
    insert =
        cql.prepare(
            "INSERT INTO %s.hours (year, hour, generation, class) VALUES (?, ?, ?, ?) USING TTL ?");
    String select = "SELECT hour, generation, class FROM %s.hours WHERE year = ? AND hour ";
    selectHour = cql.prepare(select + "= ?");
    selectRange = cql.prepare(select + ">= ? AND hour <= ?");
    deleteBefore =
        cql.prepare("DELETE FROM %s.hours WHERE year = ? AND hour = ? AND generation < ?");
  }

  CompletionStage<Void> put(Hour hour, int generation, RetentionClass retentionClass) {
    return cql.write(
        retentionClass.expiring(
            hour,
            insert.bind(
                year(hour),
                hour.epochHours(),
                generation,
                retentionClass.name(),
                retentionClass.seconds())));
  }

  /** Marks a generation until its drop completes. */
  CompletionStage<Void> putDropping(Hour hour, int generation) {
    return cql.write(insert.bind(year(hour), hour.epochHours(), generation, HourState.DROPPING, 0));
  }

  /**
   * Begins a generation. The record never expires, since the tombstones of the earlier generations
   * stay relevant.
   */
  CompletionStage<Void> putDropped(Hour hour, int generation) {
    return cql.write(insert.bind(year(hour), hour.epochHours(), generation, "", 0));
  }

  CompletionStage<HourState> state(Hour hour) {
    TreeMap<Integer, Set<String>> classes = new TreeMap<>();
    return cql.readAll(
            selectHour.bind(year(hour), hour.epochHours()), row -> addClass(row, classes))
        .thenApply(done -> HourState.of(classes));
  }

  /** The hours in {@code [from, to]} that have rows, ascending. */
  CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return hours(from, to, state -> !state.classes().isEmpty());
  }

  /**
   * The hours in {@code [from, to]} that were dropped, ascending. The table keeps a record of each
   * for ever: at most 8,784 in the partition of a year.
   */
  CompletionStage<List<Hour>> dropped(Hour from, Hour to) {
    return hours(from, to, HourState::hasDropped);
  }

  private CompletionStage<List<Hour>> hours(Hour from, Hour to, Predicate<HourState> wanted) {
    return states(from, to)
        .thenApply(
            states ->
                states.entrySet().stream()
                    .filter(each -> wanted.test(each.getValue()))
                    .map(Map.Entry::getKey)
                    .toList());
  }

  /** The states of the hours in {@code [from, to]} that have records, ascending. */
  CompletionStage<NavigableMap<Hour, HourState>> states(Hour from, Hour to) {
    return Futures.all(
            IntStream.rangeClosed(year(from), year(to)).mapToObj(year -> ofYear(year, from, to)))
        .thenApply(
            years -> {
              NavigableMap<Hour, HourState> all = new TreeMap<>();
              years.forEach(all::putAll);
              return all;
            });
  }

  private CompletionStage<Map<Hour, HourState>> ofYear(int year, Hour from, Hour to) {
    Map<Integer, TreeMap<Integer, Set<String>>> hours = new TreeMap<>();
    return cql.readAll(
            selectRange.bind(year, from.epochHours(), to.epochHours()),
            row -> addClass(row, hours.computeIfAbsent(row.getInt(0), hour -> new TreeMap<>())))
        .thenApply(
            done -> {
              Map<Hour, HourState> states = new HashMap<>();
              hours.forEach((hour, of) -> states.put(new Hour(hour), HourState.of(of)));
              return states;
            });
  }

  private static void addClass(Row row, Map<Integer, Set<String>> classesByGeneration) {
    classesByGeneration
        .computeIfAbsent(row.getInt(1), generation -> new HashSet<>())
        .add(Objects.requireNonNullElse(row.getString(2), ""));
  }

  CompletionStage<Void> deleteBefore(Hour hour, int generation) {
    return cql.write(deleteBefore.bind(year(hour), hour.epochHours(), generation));
  }

  private static int year(Hour hour) {
    return hour.start().atOffset(ZoneOffset.UTC).getYear();
  }
}
