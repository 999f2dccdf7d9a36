package hourglass.query;

import hourglass.query.values.TopValues;
import hourglass.query.values.ValueTally;
import java.util.concurrent.CompletionStage;

/**
 * Which values of a field to look for.
 *
 * @param selection of which events
 * @param path to the field, from the payload on
 * @param n how many values at most
 */
public record TopQuery(Selection selection, String path, int n) {
  /** Longer lists are no answer to what is frequent. */
  static final int N_MAX = 1_000;

  /** So many that they are seen at a glance. */
  static final int N_DEFAULT = 20;

  CompletionStage<TopValues> run(FieldPass pass, StoreAccess access) {
    ValueTally tally = new ValueTally(access.options().topBytes());
    return pass.run(type -> new ValueBatch(path, tally, access)).thenApply(done -> tally.top(n));
  }
}
