package hourglass.store.cassandra.erasure;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.driver.Cql;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.PackedNames;
import hourglass.store.erasure.ErasedRow;
import hourglass.store.erasure.Erasure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** The table {@code erased_names}: the columns of erasures that are not done. Thread-safe. */
public final class ErasedNamesTable {
  /** The records of a page of results, each at most some tens of KiB. */
  private static final int PAGE_RECORDS = 64;

  private final Cql cql;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final PreparedStatement selectErasures;
  private final PreparedStatement selectTimes;
  private final PreparedStatement delete;

  /** Prepares the statements. Blocks. */
  public ErasedNamesTable(Cql cql) {
    this.cql = cql;
    insert =
        cql.prepare("INSERT INTO %s.erased_names (erasure, part, row, names) VALUES (?, ?, ?, ?)");
    select = cql.prepare("SELECT row, names FROM %s.erased_names WHERE erasure = ?");
    selectErasures =
        cql.prepare("SELECT erasure, WRITETIME(names) FROM %s.erased_names PER PARTITION LIMIT 1");
    selectTimes = cql.prepare("SELECT WRITETIME(names) FROM %s.erased_names WHERE erasure = ?");
    delete = cql.prepare("DELETE FROM %s.erased_names WHERE erasure = ?");
  }

  /** Stores the names of an erasure. Completes with the number of records. */
  public CompletionStage<Integer> put(Erasure erasure) {
    List<CompletionStage<Void>> parts = new ArrayList<>();
    for (ErasedRow row : erasure.rows()) {
      for (int from = 0; from < row.names().size(); from += PackedNames.NAMES_MAX) {
        int to = Math.min(row.names().size(), from + PackedNames.NAMES_MAX);
        parts.add(
            cql.write(
                insert.bind(
                    erasure.id().toUuid(),
                    parts.size(),
                    row.row().toString(),
                    PackedNames.encode(row.names().subColumns(from, to)))));
      }
    }
    return Futures.allOf(parts.stream()).thenApply(done -> parts.size());
  }

  /** Reads an erasure. Fails if some of its names are missing, as when they were just deleted. */
  CompletionStage<Erasure> read(ErasureRecord stored) {
    Map<RowKey, List<Columns>> names = new LinkedHashMap<>();
    return cql.readAll(
            select.bind(stored.id().toUuid()).setPageSize(PAGE_RECORDS),
            part ->
                names
                    .computeIfAbsent(
                        RowKey.parse(Objects.requireNonNull(part.getString(0))),
                        row -> new ArrayList<>())
                    .add(
                        PackedNames.decode(
                            Objects.requireNonNull(part.getByteBuffer(1)), "erased_names")))
        .thenApply(
            done -> {
              int parts = names.values().stream().mapToInt(List::size).sum();
              if (parts != stored.parts()) {
                throw new UnavailableException(
                    ("erasure %s: %d of %d records of names; docs/cassandra-engine.md has the"
                            + " remedy")
                        .formatted(stored.id(), parts, stored.parts()));
              }
              List<ErasedRow> rows = new ArrayList<>();
              names.forEach((row, some) -> rows.add(new ErasedRow(row, Columns.merge(some))));
              return new Erasure(stored.id(), rows, stored.blanked());
            });
  }

  /**
   * Returns the ids of all erasures that have names, begun or not, with the times at which their
   * names were stored, in microseconds since 1970.
   */
  public CompletionStage<Map<TimeUuid, Long>> erasures() {
    Map<TimeUuid, Long> micros = new HashMap<>();
    return cql.readAll(
            selectErasures.bind(),
            row -> micros.put(TimeUuid.of(Objects.requireNonNull(row.getUuid(0))), row.getLong(1)))
        .thenApply(done -> Map.copyOf(micros));
  }

  /** Returns the time by the clock that gives write timestamps, in microseconds since 1970. */
  public long nowMicros() {
    return cql.nextMicros();
  }

  /** Deletes the names of an erasure, whatever clock the process had that stored them. */
  public CompletionStage<Void> delete(TimeUuid erasure) {
    AtomicLong newestMicros = new AtomicLong();
    return cql.readAll(
            selectTimes.bind(erasure.toUuid()),
            part -> newestMicros.accumulateAndGet(part.getLong(0), Math::max))
        .thenCompose(
            done ->
                cql.write(
                    delete
                        .bind(erasure.toUuid())
                        .setQueryTimestamp(cql.microsAfter(newestMicros.get()))));
  }
}
