package hourglass.query.count;

import hourglass.bytes.CodePoints;
import hourglass.query.Fields;
import hourglass.query.FieldsQuery;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.QueryThread;
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
import java.util.concurrent.atomic.LongAdder;

/**
 * Collects the fields of a {@link FieldsQuery}. Type hours are read in parallel. Estimates depend
 * on the order in which they are combined, so this is always the same: the types of an hour by
 * name, and then the hours. Used by one thread.
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

  public static Fields run(
      FieldsQuery query, StoreAccess access, AnswerRows answerRows, QueryThread thread) {
    FieldsCount count = new FieldsCount(query, access, answerRows);
    return count.read(sample(query, access, thread), thread);
  }

  private static TimeSample sample(FieldsQuery query, StoreAccess access, QueryThread thread) {
    if (!query.maySample()) {
      return TimeSample.ALL;
    }
    LongAdder columns = new LongAdder();
    Selection selection = query.selection();
    new DirectoryScan(access, selection, EventPass.PASSES, new AnswerRows(false), thread)
        .forEachHour(
            (hour, rows) -> rows.forEach(row -> columns.add(columns(row, selection.range()))));
    return columns.sum() <= EVENTS_MAX
        ? TimeSample.ALL
        : new TimeSample(EVENTS_MAX / columns.sum());
  }

  /** Estimates the columns of a row in a range, as if they were spread evenly. */
  private static long columns(RowEntry row, TimeRange range) {
    long first = row.first().ticks();
    long end = row.last().ticks() + 1;
    long common = Math.min(end, range.toTicks()) - Math.max(first, range.fromTicks());
    return (long) ((double) row.columns() * Math.max(0, common) / (end - first));
  }

  private Fields read(TimeSample sample, QueryThread thread) {
    Selection selection = query.selection();
    int lanes = EventBatchReader.lanes(access);
    EventFilter filter = EventFilter.of(selection, access.gone());
    EventPass pass = new EventPass(access, lanes, filter, answerRows);
    FanOut types = new FanOut(lanes, thread);
    Found all = new Found();
    new DirectoryScan(access, selection, 1, answerRows, thread)
        .forEachHour(
            (hour, rows) -> {
              List<ColumnRange> ranges = sample.of(selection.range().within(hour));
              Found found = new Found();
              for (List<RowEntry> ofType : DirectoryScan.byType(rows)) {
                begin(List.copyOf(ofType), ranges, pass, types, found);
              }
              // The fields of the hour are added after those of its types.
              types.begin(() -> CompletableFuture.completedFuture(found), all::add);
            });
    types.finish();
    return all.toFields(sample.share());
  }

  private void begin(
      List<RowEntry> rows, List<ColumnRange> ranges, EventPass pass, FanOut types, Found ofHour) {
    long bytes = DirectoryScan.ROW_BYTES * rows.size();
    types.begin(
        () ->
            account.during(
                bytes, () -> access.start(thread -> readType(rows, ranges, pass, thread))),
        ofHour::add);
  }

  private Found readType(
      List<RowEntry> rows, List<ColumnRange> ranges, EventPass pass, QueryThread thread) {
    FieldsBatch batch = new FieldsBatch(query.prefix(), account);
    for (ColumnRange range : ranges) {
      pass.read(rows, range, Projection.COLUMNS, batch, thread);
    }
    return new Found(batch);
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
