package hourglass.query.where;

import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldFilter;
import org.jspecify.annotations.Nullable;

/** A {@link QuickTest} for engines that keep the values of a field together. */
record QuickFilter(QuickTest test, FieldTree fields) implements FieldFilter {
  @Override
  public int @Nullable [] find(byte[] payload, int from, int to) {
    return fields.find(payload, from, to);
  }

  @Override
  public boolean mayMatch(byte[] bytes, int[] places) {
    return (test.outcomes(new EventParts(fields, bytes, places)) & Outcomes.TRUE) != 0;
  }
}
