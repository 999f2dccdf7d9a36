package hourglass.store.embedded.rows;

import hourglass.store.ColumnRange;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.NameRanges;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.pages.PageWriter;
import java.util.Comparator;
import java.util.List;

/**
 * Reads the values of a field in a row. Pages that share no name with another part are read by
 * fields. If any parts share names, the row is merged, since the larger payload of a name wins.
 */
public final class RowFieldReader {
  private final RowContent content;
  private final RowContentReader reader;

  public RowFieldReader(RowContent content, RowContentReader reader) {
    this.content = content;
    this.reader = reader;
  }

  public FieldValues read(FieldQuery query) {
    FieldValues values = new FieldValues();
    List<RowPart> parts = RowContentReader.partsIn(content, query.range());
    parts.sort(Comparator.comparing(RowPart::first));
    if (RowContentCounter.clusters(parts).stream().anyMatch(RowFieldReader::shareNames)) {
      addMerged(query, values);
    } else {
      parts.forEach(part -> add(part, query, values));
    }
    return values;
  }

  private static boolean shareNames(List<RowPart> cluster) {
    return !NameRanges.sharing(cluster.stream().map(RowPart::names).toList()).isEmpty();
  }

  private static void add(RowPart part, FieldQuery query, FieldValues values) {
    ColumnRange range = query.range();
    if (part instanceof PageRef page
        && range.contains(part.first())
        && range.contains(part.last())) {
      values.addAll(page.values(query.field()));
    } else {
      values.addWhole(part.load(Projection.COLUMNS).within(range));
    }
  }

  private void addMerged(FieldQuery query, FieldValues values) {
    SliceQuery slices =
        new SliceQuery(
            query.row(),
            query.range(),
            Order.ASCENDING,
            PageWriter.PAGE_COLUMNS,
            Projection.COLUMNS);
    for (boolean more = true; more; ) {
      Slice slice = reader.slice(content, slices);
      values.addWhole(slice.columns());
      more = slice.more();
      slices = more ? slices.after(slice) : slices;
    }
  }
}
