package hourglass.query.count;

import hourglass.query.BadParameterException;
import hourglass.query.SampleReader;
import hourglass.query.SampleReader.Sample;
import hourglass.query.Samples;
import hourglass.query.Steps;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.StoreAccess;
import hourglass.store.Columns;
import hourglass.store.FieldFinder;
import hourglass.store.FieldValues;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Collects the samples of a {@link SampleReader.Query}. Thread-safe. */
public final class SampleCount<G> {
  private final SampleReader.Query<G> query;
  private final StoreAccess access;
  private final Steps steps;
  private final AtomicLong tallyBytes = new AtomicLong();

  /** The samples of each group. Guarded by this. */
  private final Map<G, Samples.Series> series = new HashMap<>();

  private SampleCount(SampleReader.Query<G> query, StoreAccess access) {
    this.query = query;
    this.access = access;
    steps = query.steps();
    check(1);
  }

  public static <G> Samples<G> run(
      SampleReader.Query<G> query, StoreAccess access, AnswerRows answerRows, QueryThread thread) {
    SampleCount<G> count = new SampleCount<>(query, access);
    EventBatchReader.read(query.selection(), access, answerRows, count::batch, thread);
    return count.toSamples();
  }

  private EventBatch batch(String type) {
    List<String> fields = query.reader().fields();
    return fields == null ? new OfPayloads(type) : new OfFields(type, fields);
  }

  private void check(long groups) {
    int bucketsMax = access.options().buckets();
    if (groups * steps.count() > bucketsMax) {
      throw new BadParameterException(
          ("query: %d series of %d steps are more than %d counts; want a shorter range, a longer step,"
                  + " a range that is a multiple of the step, or fewer labels, as in sum by (level)")
              .formatted(groups, steps.count(), bucketsMax));
    }
  }

  private synchronized Samples.Series series(G group) {
    Samples.Series known = series.get(group);
    if (known == null) {
      check(series.size() + 1L);
      access
          .account()
          .take(query.reader().bytes(group) + Samples.Series.bytes(query.figure(), steps.count()));
      known = new Samples.Series(query.figure(), Math.toIntExact(steps.count()));
      series.put(group, known);
    }
    return known;
  }

  private void grow(long bytes) {
    if (bytes > 0) {
      access.account().take(bytes);
      int bytesMax = access.options().statsBytes();
      if (tallyBytes.addAndGet(bytes) > bytesMax) {
        throw new BadParameterException(
            "query: the numbers of its quantiles take more than %d bytes; want fewer series or steps"
                .formatted(bytesMax));
      }
    }
  }

  private synchronized Samples<G> toSamples() {
    return new Samples<>(Map.copyOf(series));
  }

  /** Adds the samples of a type hour. Used by one thread at a time. */
  private final class Adder {
    private final SampleReader.OfType<G> reader;
    private final Map<G, Samples.Series> known = new HashMap<>();

    Adder(String type) {
      reader = query.reader().of(type);
    }

    void add(@Nullable Sample<G> sample, int step, int events) {
      if (sample != null) {
        Samples.Series of =
            known.computeIfAbsent(sample.group(), group -> SampleCount.this.series(group));
        grow(of.add(step, sample.number(), events));
      }
    }
  }

  private final class OfPayloads extends EventBatch {
    private final Adder adder;

    OfPayloads(String type) {
      adder = new Adder(type);
    }

    @Override
    void take(Columns columns, int i) {
      adder.add(adder.reader.read(columns, i), steps.step(columns.ticks(i)), 1);
    }

    @Override
    void flush() {}
  }

  private final class OfFields extends EventBatch.OfFields {
    private final Adder adder;
    private final List<FieldFinder> finders;

    OfFields(String type, List<String> fields) {
      adder = new Adder(type);
      finders = fields.stream().<FieldFinder>map(TreeFinder::of).toList();
    }

    @Override
    List<FieldFinder> fields() {
      return finders;
    }

    @Override
    Steps steps() {
      return steps;
    }

    @Override
    void take(FieldValues values, int i) {
      adder.add(adder.reader.read(values, i), values.step(i), values.count(i));
    }

    @Override
    void take(Columns columns, int i) {
      adder.add(adder.reader.read(columns, i), steps.step(columns.ticks(i)), 1);
    }

    @Override
    void flush() {}
  }
}
