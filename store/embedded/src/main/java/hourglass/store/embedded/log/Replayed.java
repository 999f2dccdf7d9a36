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
 * What the log brought back at start.
 *
 * @param end where the log ended
 * @param bytesBySegment memory that the columns of each segment hold
 */
public record Replayed(LogReplay.End end, TreeMap<Long, Long> bytesBySegment) {

  /**
   * Brings back the columns that are not in pages yet.
   *
   * @param from the catalogue has all before this segment in pages
   * @param missing says what may be missing
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
            // Its files were taken away before this was logged; what is there now came later.
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
    // Only now: an unfinished segment was removed, and its number is that of the next.
    for (long segment : replay.segments()) {
      bytesBySegment.merge(segment, 0L, Long::sum);
    }
    return new Replayed(end, bytesBySegment);
  }

  private static boolean bringBack(LoadedHour state, Mutation mutation, long segment, long group) {
    // A page of the row that is as new has it; whatever class its type had then.
    if (state.row(mutation.row()).content().pagesGroup() >= group) {
      return false;
    }
    OpenRun run = new OpenRun(mutation.columns(), segment, group);
    state.row(mutation.row()).update(content -> content.withRun(run));
    return true;
  }
}
