package hourglass.query;

import hourglass.bucketing.Hour;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Shows a field of all events that are selected to batches: one for each hour and type.
 *
 * @param selection which events
 * @param access of the query
 * @param hours goes over the hours that have some
 * @param pass reads them
 */
record FieldPass(Selection selection, StoreAccess access, Counting hours, EventPass pass) {

  /**
   * Runs it.
   *
   * @param batch makes one, for a type
   */
  CompletionStage<Void> run(Function<String, FieldBatch> batch) {
    return hours.forEachHour(
        selection,
        (hour, rows, callsMax) ->
            FanOut.forEach(
                TypedRows.group(rows), callsMax, access, typed -> read(hour, typed, batch)));
  }

  private CompletionStage<Void> read(
      Hour hour, TypedRows typed, Function<String, FieldBatch> make) {
    FieldBatch batch = make.apply(typed.type());
    return pass.read(typed.rows(), selection.range().within(hour), batch).thenRun(batch::flush);
  }
}
