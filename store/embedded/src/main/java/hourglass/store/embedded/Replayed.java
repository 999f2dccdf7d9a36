package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.store.Mutation;
import java.io.IOException;
import java.util.TreeMap;

/**
 * What the log brought back at start.
 *
 * @param end where the log ended
 * @param bytesBySegment memory that the columns of each segment hold
 */
record Replayed(LogReplay.End end, TreeMap<Long, Long> bytesBySegment) {

  /** Brings back the columns that are not in pages yet. */
  static Replayed replay(
      Disk disk, StoreFiles files, Hours hours, EmbeddedOptions options, MemoryBudget budget)
      throws IOException {
    TreeMap<Long, Long> bytesBySegment = new TreeMap<>();
    LogReplay.Sink sink =
        new LogReplay.Sink() {
          @Override
          public void mutation(Mutation mutation, long segment, long group) {
            boolean isNew =
                hours.withWritten(
                    mutation.row().hour(),
                    state -> bringBack(state, mutation, segment, group, options));
            long bytes = isNew ? MemoryBudget.of(mutation) : 0;
            budget.take(bytes);
            bytesBySegment.merge(segment, bytes, Long::sum);
          }

          @Override
          public void drop(Hour hour) {
            // Its files were taken away before this was logged; what is there now came later.
            hours.withWritten(
                hour,
                state -> {
                  state.rows().forEach(row -> row.update(RowContent::withoutRuns));
                  return null;
                });
          }
        };
    LogReplay replay = new LogReplay(disk, files);
    for (long segment : replay.segments()) {
      bytesBySegment.put(segment, 0L);
    }
    return new Replayed(replay.replay(sink), bytesBySegment);
  }

  private static boolean bringBack(
      HourState state, Mutation mutation, long segment, long group, EmbeddedOptions options) {
    String type = mutation.row().type();
    PageFiles files = state.files(StoreFiles.retentionClass(options.retention(type)));
    if (files != null && files.flushedSegment() >= segment) {
      return false;
    }
    OpenRun run = new OpenRun(mutation.columns(), segment, group);
    state.row(mutation.row()).update(content -> content.withRun(run));
    return true;
  }
}
