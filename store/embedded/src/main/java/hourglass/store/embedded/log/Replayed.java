package hourglass.store.embedded.log;

import hourglass.bucketing.Hour;
import hourglass.store.LateArrival;
import hourglass.store.Mutation;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.pages.MissingParts;
import hourglass.store.embedded.rows.Hours;
import hourglass.store.embedded.rows.LoadedHour;
import hourglass.store.embedded.rows.MemoryBudget;
import hourglass.store.embedded.rows.OpenRun;
import hourglass.store.embedded.rows.RowContent;
import java.io.IOException;
import java.util.TreeMap;

/**
 * The result of the log's replay at start.
 *
 * @param end the end of the log
 * @param bytesBySegment memory that the columns of each segment hold
 */
public record Replayed(LogReplay.End end, TreeMap<Long, Long> bytesBySegment) {

  /**
   * Restores columns that are not in pages yet.
   *
   * @param from the first segment that the catalogue does not have in pages
   * @param missing the parts that may be missing
   */
  public static Replayed replay(
      Disk disk,
      StoreFiles files,
      Hours hours,
      MemoryBudget budget,
      LateArrivalIndex arrivals,
      long from,
      MissingParts missing)
      throws IOException {
    TreeMap<Long, Long> bytesBySegment = new TreeMap<>();
    LogReplay.Sink sink =
        new LogReplay.Sink() {
          @Override
          public void mutation(Mutation mutation, long segment, long group) {
            boolean isNew =
                hours.withWritten(
                    mutation.row().hour(), state -> bringBack(state, mutation, segment, group));
            long bytes = isNew ? MemoryBudget.of(mutation) : 0;
            budget.take(bytes);
            bytesBySegment.merge(segment, bytes, Long::sum);
          }

          @Override
          public void arrival(LateArrival note, long segment) {
            arrivals.replayed(note, segment);
          }

          @Override
          public void drop(Hour hour) {
            // The hour's files were deleted before the drop was logged, so any pages are newer.
            hours.with(
                hour,
                state -> {
                  state.rows().forEach(row -> row.update(RowContent::withoutRuns));
                  hours.forgetIfEmpty(state);
                  return null;
                });
          }
        };
    LogReplay replay = new LogReplay(disk, files);
    LogReplay.End end = replay.replay(sink, from, missing);
    // After the replay, which removes an unfinished segment; the next segment gets its number.
    for (long segment : replay.segments()) {
      bytesBySegment.merge(segment, 0L, Long::sum);
    }
    return new Replayed(end, bytesBySegment);
  }

  private static boolean bringBack(LoadedHour state, Mutation mutation, long segment, long group) {
    // A page as new as the group holds these columns, in any retention class.
    if (state.row(mutation.row()).content().pagesGroup() >= group) {
      return false;
    }
    OpenRun run = new OpenRun(mutation.columns(), segment, group);
    state.row(mutation.row()).update(content -> content.withRun(run));
    return true;
  }
}
