package hourglass.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query for the values of fields in a part of a row, counted by step.
 *
 * @param part the row, the range and the steps
 * @param fields the fields whose values are counted together; none to count columns alone
 * @param filter null to read every column
 */
public record FieldQuery(CountQuery part, List<FieldFinder> fields, @Nullable FieldFilter filter) {

  public FieldQuery {
    fields = List.copyOf(fields);
  }

  public ColumnRange range() {
    return part.range();
  }
}
