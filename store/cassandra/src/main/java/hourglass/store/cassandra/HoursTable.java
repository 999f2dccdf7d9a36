package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.Hour;
import hourglass.store.cassandra.driver.Cql;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The table {@code hours}: the existing hours, with generations and retention classes. */
final class HoursTable {
  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement selectHour;
  private final PreparedStatement selectRange;
  private final PreparedStatement deleteBefore;

  HoursTable(Cql cql, String keyspace) {
    this.cql = cql;
    String table = keyspace + ".hours";
    insert =
        prepare(
            "INSERT INTO "
                + table
                + " (year, hour, generation, class) VALUES (?, ?, ?, ?) USING TTL ?");
    selectHour =
        prepare("SELECT hour, generation, class FROM " + table + " WHERE year = ? AND hour = ?");
    selectRange =
        prepare(
            "SELECT hour, generation, class FROM "
                + table
                + " WHERE year = ? AND hour >= ? AND hour <= ?");
    deleteBefore =
        prepare("DELETE FROM " + table + " WHERE year = ? AND hour = ? AND generation < ?");
  }

  private PreparedStatement prepare(String statement) {
    return cql.session().prepare(statement);
  }

  /** Records that a class has rows in an hour. */
  CompletionStage<Void> put(Hour hour, int generation, RetentionClass retentionClass) {
    return cql.write(
        Expiry.of(
            retentionClass,
            hour,
            insert.bind(
                year(hour),
                hour.epochHours(),
                generation,
                retentionClass.name(),
                retentionClass.seconds())));
  }

  /** Marks a generation as about to be dropped, until the drop completes. */
  CompletionStage<Void> putDropping(Hour hour, int generation) {
    return cql.write(insert.bind(year(hour), hour.epochHours(), generation, HourState.DROPPING, 0));
  }

  /**
   * Starts a generation of an hour. The record never expires, since the tombstones below it matter
   * as long.
   */
  CompletionStage<Void> putDropped(Hour hour, int generation) {
    return cql.write(insert.bind(year(hour), hour.epochHours(), generation, "", 0));
  }

  /** The current state of an hour. */
  CompletionStage<HourState> state(Hour hour) {
    HourState.Builder state = new HourState.Builder();
    return cql.readAll(
            selectHour.bind(year(hour), hour.epochHours()),
            row -> state.add(row.getInt(1), text(row, 2)))
        .thenApply(done -> state.build());
  }

  /** The hours in {@code [from, to]} that have rows, ascending. */
  CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    List<CompletableFuture<List<Hour>>> years = new ArrayList<>();
    for (int year = year(from); year <= year(to); year++) {
      years.add(ofYear(year, from, to).toCompletableFuture());
    }
    return CompletableFuture.allOf(years.toArray(new CompletableFuture<?>[0]))
        .thenApply(done -> years.stream().flatMap(hours -> hours.join().stream()).toList());
  }

  private CompletionStage<List<Hour>> ofYear(int year, Hour from, Hour to) {
    Map<Integer, HourState.Builder> states = new TreeMap<>();
    return cql.readAll(
            selectRange.bind(year, from.epochHours(), to.epochHours()),
            row ->
                states
                    .computeIfAbsent(row.getInt(0), any -> new HourState.Builder())
                    .add(row.getInt(1), text(row, 2)))
        .thenApply(
            done ->
                states.entrySet().stream()
                    .filter(entry -> !entry.getValue().build().classes().isEmpty())
                    .map(entry -> new Hour(entry.getKey()))
                    .toList());
  }

  /** Deletes the records of generations below this one. */
  CompletionStage<Void> deleteBefore(Hour hour, int generation) {
    return cql.write(deleteBefore.bind(year(hour), hour.epochHours(), generation));
  }

  private static int year(Hour hour) {
    return hour.start().atOffset(ZoneOffset.UTC).getYear();
  }

  private static String text(Row row, int column) {
    String text = row.getString(column);
    return text == null ? "" : text;
  }
}
