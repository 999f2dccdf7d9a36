package hourglass.query.count;

import hourglass.query.Selection;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventPass;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Shows a field of all events that are selected to batches: one for each hour and type.
 *
 * @param selection which events
 * @param hours goes over the hours that have some
 * @param pass reads them
 */
public record FieldPass(Selection selection, DirectoryScan hours, EventPass pass) {

  /**
   * Runs it.
   *
   * @param batch makes one, for a type
   */
  public CompletionStage<Void> run(Function<String, FieldBatch> batch) {
    return hours.forEachType(
        selection,
        (hour, typed) -> {
          FieldBatch filled = batch.apply(typed.type());
          return pass.read(typed.rows(), selection.range().within(hour), filled)
              .thenRun(filled::flush);
        });
  }
}
