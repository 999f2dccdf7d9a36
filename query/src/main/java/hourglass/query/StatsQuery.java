package hourglass.query;

import hourglass.query.values.NumberTally;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * What to say of the numbers of a field.
 *
 * @param selection of which events
 * @param path to the field, from the payload on
 * @param byType whether of each type apart
 */
public record StatsQuery(Selection selection, String path, boolean byType) {

  CompletionStage<Stats> run(FieldPass pass, StoreAccess access) {
    Tallies tallies = new Tallies(access);
    return pass.run(tallies::batch).thenApply(done -> tallies.toStats());
  }

  /** The sums so far. Thread-safe. */
  private final class Tallies {
    private final int bytesMax;
    private final AnswerBytes.Account account;
    private final BooleanSupplier gone;
    private final AtomicLong bytes = new AtomicLong();

    /** Guarded by this. */
    private final TreeMap<String, NumberTally> byName = new TreeMap<>();

    Tallies(StoreAccess access) {
      bytesMax = access.options().statsBytes();
      account = access.account();
      gone = access.gone();
      if (!byType) {
        byName.put("", new NumberTally());
      }
    }

    synchronized FieldBatch batch(String type) {
      NumberTally tally = byName.computeIfAbsent(byType ? type : "", absent -> new NumberTally());
      return new NumberBatch(path, tally, gone, this::grow);
    }

    private void grow(long more) {
      account.take(more);
      if (bytes.addAndGet(more) > bytesMax) {
        throw new BadParameterException(
            "field: the numbers of data.%s take more than %d bytes to sum up; want fewer types%s"
                .formatted(path, bytesMax, byType ? ", or no by" : " or a shorter range"));
      }
    }

    synchronized Stats toStats() {
      List<Stats.Series> all = new ArrayList<>(byName.size());
      byName.forEach((type, tally) -> all.add(new Stats.Series(type, tally.summary())));
      all.removeIf(series -> byType && series.summary().events() == 0);
      return new Stats(path, all);
    }
  }
}
