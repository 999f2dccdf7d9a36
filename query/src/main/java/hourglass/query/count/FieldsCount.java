package hourglass.query.count;

import hourglass.bytes.CodePoints;
import hourglass.query.Fields;
import hourglass.query.FieldsQuery;
import hourglass.query.TimeRange;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventFilter;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.FanOut;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.FieldSummary;
import hourglass.store.ColumnRange;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;

/**
 * Collects the fields of a {@link FieldsQuery}. Type hours are read in parallel. Estimates depend
 * on the order in which they are combined, so this is always the same: the types of an hour by
 * name, and then the hours. Thread-safe.
 */
public final class FieldsCount {
  /**
   * The most fields of a type hour, and of an answer; each needs some memory. Those found later are
   * left out.
   */
  static final int FIELDS_MAX = 1_000;

  /** The number of events beyond which they are sampled: half a second on one core. */
  private static final double EVENTS_MAX = 300_000;

  private final FieldsQuery query;
  private final StoreAccess access;
  private final AnswerBytes.Account account;
  private final AnswerRows answerRows;

  private FieldsCount(FieldsQuery query, StoreAccess access, AnswerRows answerRows) {
    this.query = query;
    this.access = access;
    this.answerRows = answerRows;
    account = access.account();
  }

  public static CompletionStage<Fields> run(
      FieldsQuery query, StoreAccess access, AnswerRows answerRows) {
    FieldsCount count = new FieldsCount(query, access, answerRows);
    return sample(query, access).thenCompose(count::read);
  }

  private static CompletionStage<TimeSample> sample(FieldsQuery query, StoreAccess access) {
    if (!query.maySample()) {
      return CompletableFuture.completedFuture(TimeSample.ALL);
    }
    LongAdder columns = new LongAdder();
    return new DirectoryScan(access, EventPass.PASSES, new AnswerRows(false))
        .forEachType(
            query.selection(),
            rows -> {
              rows.forEach(row -> columns.add(columns(row, query.selection().range())));
              return CompletableFuture.completedFuture(null);
            })
        .thenApply(
            done ->
                columns.sum() <= EVENTS_MAX
                    ? TimeSample.ALL
                    : new TimeSample(EVENTS_MAX / columns.sum()));
  }

  /** Estimates the columns of a row in a range, as if they were spread evenly. */
  private static long columns(RowEntry row, TimeRange range) {
    long first = row.first().ticks();
    long end = row.last().ticks() + 1;
    long common = Math.min(end, range.toTicks()) - Math.max(first, range.fromTicks());
    return (long) ((double) row.columns() * Math.max(0, common) / (end - first));
  }

  private CompletionStage<Fields> read(TimeSample sample) {
    int lanes = EventBatchReader.lanes(access);
    EventFilter filter = EventFilter.of(query.selection(), access.gone());
    EventPass pass = new EventPass(access, lanes, filter, answerRows);
    Found all = new Found();
    return new DirectoryScan(access, lanes, answerRows)
        .forEachHourInOrder(
            query.selection(),
            (hour, rows, callsMax) ->
                readHour(rows, sample.of(query.selection().range().within(hour)), callsMax, pass),
            all::add)
        .thenApply(done -> all.toFields(sample.share()));
  }

  private CompletionStage<Found> readHour(
      List<RowEntry> rows, List<ColumnRange> ranges, int callsMax, EventPass pass) {
    Found ofHour = new Found();
    return FanOut.forEachInOrder(
            DirectoryScan.byType(rows),
            callsMax,
            access,
            ofType -> readType(ofType, ranges, pass),
            ofHour::add)
        .thenApply(done -> ofHour);
  }

  private CompletionStage<Found> readType(
      List<RowEntry> rows, List<ColumnRange> ranges, EventPass pass) {
    FieldsBatch batch = new FieldsBatch(query.prefix(), account);
    return FanOut.forEach(
            ranges, 1, access, range -> pass.read(rows, range, Projection.COLUMNS, batch))
        .thenApply(done -> new Found(batch));
  }

  /**
   * The fields of some events, in the order in which they were met. Used by one thread at a time.
   */
  private final class Found {
    private final Map<String, FieldSummary> summaries;
    private long events;
    private boolean hasMore;

    Found() {
      summaries = new LinkedHashMap<>();
    }

    Found(FieldsBatch batch) {
      summaries = batch.found();
      events = batch.events();
      hasMore = batch.hasMore();
    }

    /** Adds the summaries of another result, which must not be used afterwards. */
    void add(Found other) {
      events += other.events;
      hasMore |= other.hasMore;
      other.summaries.forEach(this::add);
    }

    private void add(String name, FieldSummary summary) {
      FieldSummary known = summaries.get(name);
      if (known == null && summaries.size() < FIELDS_MAX) {
        summaries.put(name, summary);
        return;
      }
      if (known == null) {
        hasMore = true;
      } else {
        known.addAll(summary);
      }
      account.give(FieldSummary.BYTES);
    }

    Fields toFields(double share) {
      List<Fields.Field> sorted = new ArrayList<>();
      summaries.forEach((name, summary) -> sorted.add(new Fields.Field(name, summary)));
      sorted.sort(
          Comparator.comparingLong((Fields.Field field) -> -field.summary().events())
              .thenComparing(Fields.Field::path, CodePoints.ORDER));
      List<Fields.Field> first = sorted.subList(0, Math.min(query.n(), sorted.size()));
      return new Fields(first, events, hasMore || first.size() < sorted.size(), share);
    }
  }
}
