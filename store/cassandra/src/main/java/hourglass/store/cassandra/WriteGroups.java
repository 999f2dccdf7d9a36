package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.cassandra.driver.Joiner;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Joins writes to a row, since large packs need fewer bytes and requests. Thread-safe. */
final class WriteGroups {
  /** The most payload bytes of a group; about as much as a page contains. */
  private static final long GROUP_BYTES_MAX = 256 << 10;

  private record RowColumns(Tables tables, Columns columns) {}

  private final Joiner<RowKey, RowColumns> joiner;

  /** Writes columns of one row, each of them atomically. */
  interface Write {
    CompletionStage<Void> write(Tables tables, RowKey row, List<Columns> writes);
  }

  WriteGroups(Write write) {
    joiner =
        new Joiner<>(
            (row, group) ->
                write.write(
                    group.get(group.size() - 1).tables(), // of the last session
                    row,
                    group.stream().map(RowColumns::columns).toList()),
            each -> each.columns().payloadBytes(),
            GROUP_BYTES_MAX);
  }

  /** Writes at once, or after a running write to the same row. */
  CompletionStage<Void> write(Tables tables, RowKey row, Columns columns) {
    return joiner.add(row, new RowColumns(tables, columns), tables.cql().readers());
  }
}
