package hourglass.query.count;

import hourglass.query.Fields;
import hourglass.query.FieldsQuery;
import hourglass.query.TimeRange;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.scan.AnswerRows;
import hourglass.query.scan.DirectoryScan;
import hourglass.query.scan.EventPass;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.FieldSummary;
import hourglass.query.where.json.FieldWalk;
import hourglass.query.where.json.JsonNumber;
import hourglass.query.where.json.ScalarText;
import hourglass.store.Columns;
import hourglass.store.RowEntry;
import hourglass.store.text.CodePoints;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Collects the fields of a {@link FieldsQuery}. Thread-safe. */
public final class FieldsCount {
  /** Of a type hour, and of an answer; each takes some memory. Those found later are left out. */
  private static final int FIELDS_MAX = 1_000;

  /** Longer names cannot be asked about. */
  private static final int NAME_CHARS_MAX = 250;

  /** More events are sampled: half a second on one core. */
  private static final double EVENTS_MAX = 300_000;

  private final FieldsQuery query;
  private final AnswerBytes.Account account;

  // Guarded by this:
  private final Map<String, FieldSummary> summaries = new HashMap<>();
  private long events;
  private boolean hasMore;

  private FieldsCount(FieldsQuery query, StoreAccess access) {
    this.query = query;
    account = access.account();
  }

  public static CompletionStage<Fields> run(
      FieldsQuery query, StoreAccess access, AnswerRows answerRows) {
    FieldsCount count = new FieldsCount(query, access);
    return sample(query, access)
        .thenCompose(
            sample ->
                EventBatchReader.read(
                        query.selection(),
                        access,
                        answerRows,
                        sample,
                        type -> count.new FieldsBatch())
                    .thenApply(done -> count.toFields(sample.share())));
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

  /** The columns of a row in a range, if they are spread evenly. */
  private static long columns(RowEntry row, TimeRange range) {
    long first = row.first().ticks();
    long end = row.last().ticks() + 1;
    long common = Math.min(end, range.toTicks()) - Math.max(first, range.fromTicks());
    return (long) ((double) row.columns() * Math.max(0, common) / (end - first));
  }

  private synchronized void add(Map<String, FieldSummary> more, long moreEvents, boolean leftOut) {
    events += moreEvents;
    hasMore |= leftOut;
    more.forEach(
        (name, summary) -> {
          FieldSummary known = summaries.get(name);
          if (known != null) {
            known.addAll(summary);
            account.give(FieldSummary.BYTES);
          } else if (summaries.size() < FIELDS_MAX) {
            summaries.put(name, summary);
          } else {
            hasMore = true;
            account.give(FieldSummary.BYTES);
          }
        });
  }

  private synchronized Fields toFields(double share) {
    List<Fields.Field> all = new ArrayList<>();
    summaries.forEach((name, summary) -> all.add(new Fields.Field(name, summary)));
    all.sort(
        Comparator.comparingLong((Fields.Field field) -> -field.summary().events())
            .thenComparing(Fields.Field::path, CodePoints.ORDER));
    List<Fields.Field> first = all.subList(0, Math.min(query.n(), all.size()));
    return new Fields(first, events, hasMore || first.size() < all.size(), share);
  }

  private final class FieldsBatch extends EventBatch {
    private final FieldWalk walk = new FieldWalk(NAME_CHARS_MAX);
    private final Map<String, FieldSummary> found = new HashMap<>();

    /** By the numbers of the walk; null: not wanted. */
    private final List<@Nullable FieldSummary> byNumber = new ArrayList<>();

    private long taken;
    private boolean leftOut;

    @Override
    void take(Columns columns, int i) {
      byte[] bytes = columns.bytes();
      int from = columns.offset(i);
      walk.walk(bytes, from, from + columns.length(i));
      taken++;
      for (int field = 0; field < walk.size(); field++) {
        FieldSummary summary = summary(walk.field(field));
        if (summary != null) {
          addTo(summary, bytes, walk.from(field), walk.to(field));
        }
      }
    }

    private static void addTo(FieldSummary summary, byte[] json, int from, int to) {
      switch (json[from]) {
        case '{' -> summary.addNested(FieldSummary.Kind.OBJECT);
        case '[' -> summary.addNested(FieldSummary.Kind.LIST);
        case '"' -> addScalar(summary, FieldSummary.Kind.STRING, json, from, to);
        case 't', 'f' -> addScalar(summary, FieldSummary.Kind.BOOLEAN, json, from, to);
        case 'n' -> addScalar(summary, FieldSummary.Kind.NULL, json, from, to);
        default -> addScalar(summary, FieldSummary.Kind.NUMBER, json, from, to);
      }
    }

    private static void addScalar(
        FieldSummary summary, FieldSummary.Kind kind, byte[] json, int from, int to) {
      boolean isSpelled = ScalarText.isSpelled(json, from, to);
      byte[] text = isSpelled ? json : ScalarText.of(json, from, to);
      int textFrom = isSpelled ? from : 0;
      int textTo = isSpelled ? to : text.length;
      if (kind == FieldSummary.Kind.NUMBER) {
        summary.addNumber(JsonNumber.of(json, from, to), text, textFrom, textTo);
      } else {
        summary.addScalar(kind, text, textFrom, textTo);
      }
    }

    private @Nullable FieldSummary summary(int number) {
      while (byNumber.size() <= number) {
        byNumber.add(begin(walk.name(byNumber.size())));
      }
      return byNumber.get(number);
    }

    private @Nullable FieldSummary begin(String name) {
      if (!name.startsWith(query.prefix())) {
        return null;
      }
      if (found.size() == FIELDS_MAX) {
        leftOut = true;
        return null;
      }
      account.take(FieldSummary.BYTES);
      FieldSummary summary = new FieldSummary();
      found.put(name, summary);
      return summary;
    }

    @Override
    void flush() {
      add(found, taken, leftOut || walk.hasMore());
      found.clear();
      byNumber.clear();
      taken = 0;
    }
  }
}
