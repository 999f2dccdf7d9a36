package hourglass.query.count;

import hourglass.query.BadParameterException;
import hourglass.query.Stats;
import hourglass.query.StatsQuery;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.NumberTally;
import hourglass.query.where.json.JsonNumber;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Summarizes the numbers of a {@link StatsQuery}. Thread-safe. */
public final class StatsCount {
  private static final int BATCH_MAX = 1_024;

  private final StatsQuery query;
  private final StoreAccess access;
  private final AtomicLong bytes = new AtomicLong();

  /** Guarded by this. */
  private final TreeMap<String, NumberTally> byName = new TreeMap<>();

  private StatsCount(StatsQuery query, StoreAccess access) {
    this.query = query;
    this.access = access;
    if (!query.byType()) {
      byName.put("", new NumberTally());
    }
  }

  public static CompletionStage<Stats> run(
      StatsQuery query, StoreAccess access, AnswerRows answerRows) {
    StatsCount count = new StatsCount(query, access);
    return FieldBatch.read(query.selection(), access, answerRows, count::batch)
        .thenApply(done -> count.toStats());
  }

  private synchronized FieldBatch batch(String type) {
    return new NumberBatch(
        byName.computeIfAbsent(query.byType() ? type : "", absent -> new NumberTally()));
  }

  private void grow(long more) {
    access.account().take(more);
    int bytesMax = access.options().statsBytes();
    if (bytes.addAndGet(more) > bytesMax) {
      throw new BadParameterException(
          "field: the numbers of data.%s take more than %d bytes to sum up; want fewer types%s"
              .formatted(
                  query.path(), bytesMax, query.byType() ? ", or no by" : " or a shorter range"));
    }
  }

  private synchronized Stats toStats() {
    List<Stats.Series> all = new ArrayList<>(byName.size());
    byName.forEach((type, tally) -> all.add(new Stats.Series(type, tally.summary())));
    all.removeIf(series -> query.byType() && series.summary().events() == 0);
    return new Stats(query.path(), all);
  }

  private final class NumberBatch extends FieldBatch {
    private final NumberTally tally;

    /** Small at first: most types have few events in an hour. */
    private double[] numbers = new double[16];

    private int[] counts = new int[16];

    private int size;
    private long absent;
    private long notNumeric;

    private NumberBatch(NumberTally tally) {
      super(query.path(), access.gone());
      this.tally = tally;
    }

    @Override
    void take(byte[] json, int from, int to, int events) {
      double number = JsonNumber.begins(json[from]) ? JsonNumber.of(json, from, to) : Double.NaN;
      if (!Double.isFinite(number)) {
        notNumeric += events;
        return;
      }
      if (size == BATCH_MAX) {
        flush();
      }
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 4 * size);
        counts = Arrays.copyOf(counts, 4 * size);
      }
      counts[size] = events;
      numbers[size++] = number;
    }

    @Override
    void takeAbsent(long events) {
      absent += events;
    }

    @Override
    void flush() {
      long grown = tally.add(numbers, counts, size, absent, notNumeric);
      size = 0;
      absent = 0;
      notNumeric = 0;
      grow(grown);
    }
  }
}
