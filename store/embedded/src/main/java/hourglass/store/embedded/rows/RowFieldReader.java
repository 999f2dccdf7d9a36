package hourglass.store.embedded.rows;

import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.NameRanges;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.pages.PageWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of fields in a row. Pages that share no name with another part are read by
 * fields. Parts that may share names are merged, since the larger payload of a name wins.
 */
public final class RowFieldReader {
  private final RowContent content;
  private final RowContentReader reader;

  public RowFieldReader(RowContent content, RowContentReader reader) {
    this.content = content;
    this.reader = reader;
  }

  public FieldValues read(FieldQuery query) {
    FieldValues values = new FieldValues(query.fields().size());
    List<RowPart> parts = RowContentReader.partsIn(content, query.range());
    parts.sort(Comparator.comparing(RowPart::first));
    List<RowPart> sharing = new ArrayList<>();
    for (List<RowPart> cluster : RowContentCounter.clusters(parts)) {
      BitSet mayShare = NameRanges.sharing(cluster.stream().map(RowPart::names).toList());
      for (int i = 0; i < cluster.size(); i++) {
        if (mayShare.get(i)) {
          sharing.add(cluster.get(i));
        } else {
          add(cluster.get(i), query, values);
        }
      }
    }
    for (List<RowPart> cluster : RowContentCounter.clusters(sharing)) {
      if (cluster.size() == 1) {
        add(cluster.get(0), query, values);
      } else if (mayMatch(cluster, query.filter())) {
        addMerged(RowContent.of(cluster), query, values);
      }
    }
    return values;
  }

  /** Of copies of a column, none matches if no part may hold one that does. */
  static boolean mayMatch(List<RowPart> parts, @Nullable FieldFilter filter) {
    return filter == null
        || parts.stream()
            .anyMatch(part -> !(part instanceof PageRef page) || page.mayMatch(filter));
  }

  private static void add(RowPart part, FieldQuery query, FieldValues values) {
    if (part instanceof PageRef page) {
      page.values(query, values);
    } else {
      values.addWhole(part.load(Projection.COLUMNS).within(query.range()));
    }
  }

  private void addMerged(RowContent parts, FieldQuery query, FieldValues values) {
    ColumnRange range = query.range();
    SliceQuery slices =
        new SliceQuery(
            query.part().row(),
            range,
            Order.ASCENDING,
            PageWriter.PAGE_COLUMNS,
            Projection.COLUMNS);
    FieldFilter filter = query.filter();
    if (filter != null) {
      slices = slices.withFilter(new SliceQuery.Filter(filter, range));
    }
    for (boolean more = true; more; ) {
      Slice slice = reader.slice(parts, slices);
      values.addWhole(slice.columns());
      more = slice.more();
      slices = more ? slices.after(slice) : slices;
    }
  }
}
