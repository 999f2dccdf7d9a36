package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.cassandra.driver.Futures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Joins writes to a row. While one is under way, others wait and then go together: a node's work is
 * by requests, and large packs take fewer bytes. Thread-safe.
 */
final class WriteGroups {
  /** Payloads of a group; about as much as a page holds. */
  private static final long GROUP_BYTES_MAX = 256 << 10;

  private final Write write;

  /** Writes that wait, of each row with a write under way. Guarded by itself. */
  private final Map<RowKey, Deque<Waiting>> rows = new HashMap<>();

  private record Waiting(Tables tables, Columns columns, CompletableFuture<Void> done) {}

  /** Writes columns of one row, each of them atomically. */
  interface Write {
    CompletionStage<Void> write(Tables tables, RowKey row, List<Columns> writes);
  }

  WriteGroups(Write write) {
    this.write = write;
  }

  /** Writes at once, or after a write to the same row that is under way. */
  CompletionStage<Void> write(Tables tables, RowKey row, Columns columns) {
    Waiting mine = new Waiting(tables, columns, new CompletableFuture<>());
    synchronized (rows) {
      Deque<Waiting> waiting = rows.get(row);
      if (waiting != null) {
        waiting.add(mine);
        return mine.done();
      }
      rows.put(row, new ArrayDeque<>());
    }
    write(row, List.of(mine));
    return mine.done();
  }

  private void write(RowKey row, List<Waiting> group) {
    var unused =
        Futures.call(
                () ->
                    write.write(newest(group), row, group.stream().map(Waiting::columns).toList()))
            .whenComplete(
                (done, failure) -> {
                  writeNext(row);
                  group.forEach(each -> Futures.complete(each.done(), null, failure));
                });
  }

  private void writeNext(RowKey row) {
    List<Waiting> group = new ArrayList<>();
    synchronized (rows) {
      Deque<Waiting> waiting = rows.get(row);
      long bytes = 0;
      while (waiting != null && !waiting.isEmpty()) {
        bytes += waiting.peek().columns().payloadBytes();
        if (!group.isEmpty() && bytes > GROUP_BYTES_MAX) {
          break;
        }
        group.add(waiting.remove());
      }
      if (group.isEmpty()) {
        rows.remove(row);
        return;
      }
    }
    newest(group).cql().readers().execute(() -> write(row, group));
  }

  /** Of the last session, if it was replaced meanwhile. */
  private static Tables newest(List<Waiting> group) {
    return group.get(group.size() - 1).tables();
  }
}
