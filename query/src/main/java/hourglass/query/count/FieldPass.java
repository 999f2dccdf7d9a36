package hourglass.query.count;

import hourglass.query.Selection;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventPass;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Reads a field of all selected events into batches, one for each type hour. */
public record FieldPass(Selection selection, DirectoryScan hours, EventPass pass) {

  /**
   * Runs the pass.
   *
   * @param batch creates a batch for a type
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
