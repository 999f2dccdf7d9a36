package hourglass.store.cassandra.rows;

import hourglass.store.Columns;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.rows.PackCursor.Section;
import hourglass.store.parts.Part;
import hourglass.store.parts.PartFieldReader;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The values of fields in a row with packs. Used by one thread at a time. */
final class PackValues {
  private final FieldQuery query;
  private final PackCursor cursor;
  private final FieldValues values;

  PackValues(FieldQuery query, PackCursor cursor) {
    this.query = query;
    this.cursor = cursor;
    this.values = new FieldValues(query.fields().size());
  }

  CompletionStage<FieldValues> read() {
    return cursor.next().thenCompose(this::take);
  }

  private CompletionStage<FieldValues> take(Section section) {
    FieldQuery part =
        new FieldQuery(
            query.part().of(query.part().row(), section.range()), query.fields(), query.filter());
    PartFieldReader.read(section.parts(), part, values, PackValues::addMerged);
    return section.isLast() ? CompletableFuture.completedFuture(values) : read();
  }

  private static void addMerged(List<Part> parts, FieldQuery query, FieldValues into) {
    into.addWhole(
        Columns.merge(
            parts.stream()
                .map(part -> part.load(Projection.COLUMNS).within(query.range()))
                .toList()));
  }
}
