package hourglass.query.where;

import hourglass.query.where.json.FieldTree;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/** An event as quick tests see it. Used by one thread. */
final class EventParts {
  private final Columns columns;
  private final int i;
  private final String type;
  private final FieldTree fields;
  private int @Nullable [] spans;
  private boolean scanned;

  EventParts(Columns columns, int i, String type, FieldTree fields) {
    this.columns = columns;
    this.i = i;
    this.type = type;
    this.fields = fields;
  }

  String type() {
    return type;
  }

  String id() {
    return columns.id(i).toString();
  }

  long ticks() {
    return columns.ticks(i);
  }

  byte[] bytes() {
    return columns.bytes();
  }

  int @Nullable [] spans() {
    if (!scanned) {
      int from = columns.offset(i);
      spans = fields.find(columns.bytes(), from, from + columns.length(i));
      scanned = true;
    }
    return spans;
  }
}
