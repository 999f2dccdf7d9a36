package hourglass.query.where;

import hourglass.query.filter.EventParts;
import hourglass.query.where.json.FieldTree;
import hourglass.store.Columns;

/** An event with the values that decide where its parts do not. Used by one thread. */
final class WholeEvent extends EventParts {
  final EventValues values;

  WholeEvent(Columns columns, int i, String type, FieldTree fields, EventValues values) {
    super(columns, i, type, fields);
    this.values = values;
  }
}
