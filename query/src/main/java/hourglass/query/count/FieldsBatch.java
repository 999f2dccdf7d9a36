package hourglass.query.count;

import hourglass.bytes.JsonNumber;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.query.values.FieldSummary;
import hourglass.query.where.json.FieldWalk;
import hourglass.query.where.json.ScalarText;
import hourglass.store.Columns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Summarizes the fields of a type hour's events. Used by one thread at a time. */
final class FieldsBatch implements EventSink {
  /** The longest name of a field. Longer names cannot be used in a query. */
  private static final int NAME_CHARS_MAX = 250;

  private final String prefix;
  private final AnswerBytes.Account account;
  private final FieldWalk walk = new FieldWalk(NAME_CHARS_MAX);

  /**
   * The summaries by name, in the order in which the fields were met, so that always the same are
   * among the first of many.
   */
  private final Map<String, FieldSummary> found = new LinkedHashMap<>();

  /** The summaries by the numbers of the walk; null if a field is not wanted. */
  private final List<@Nullable FieldSummary> byNumber = new ArrayList<>();

  private long events;
  private boolean leftOut;

  /** The account provides {@link FieldSummary#BYTES} for each field found. */
  FieldsBatch(String prefix, AnswerBytes.Account account) {
    this.prefix = prefix;
    this.account = account;
  }

  Map<String, FieldSummary> found() {
    return found;
  }

  /** The number of all events, with or without fields. */
  long events() {
    return events;
  }

  /** Whether there are further fields. */
  boolean hasMore() {
    return leftOut || walk.hasMore();
  }

  @Override
  public Verdict offer(RowReader row, Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    walk.walk(bytes, from, from + columns.length(i));
    events++;
    for (int field = 0; field < walk.size(); field++) {
      FieldSummary summary = summary(walk.field(field));
      if (summary != null) {
        addTo(summary, bytes, walk.from(field), walk.to(field));
      }
    }
    return Verdict.TAKEN;
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
    if (!name.startsWith(prefix)) {
      return null;
    }
    if (found.size() == FieldsCount.FIELDS_MAX) {
      leftOut = true;
      return null;
    }
    account.take(FieldSummary.BYTES);
    FieldSummary summary = new FieldSummary();
    found.put(name, summary);
    return summary;
  }
}
