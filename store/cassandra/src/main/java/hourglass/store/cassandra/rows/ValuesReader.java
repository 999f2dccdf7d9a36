package hourglass.store.cassandra.rows;

import hourglass.store.Columns;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.rows.Part;
import hourglass.store.rows.PartFieldReader;
import hourglass.store.rows.Section;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the values of fields in a row, each column once. Used by one thread at a time. */
final class ValuesReader {
  private final FieldQuery query;
  private final Sections sections;
  private final FieldValues values;

  ValuesReader(FieldQuery query, Sections sections) {
    this.query = query;
    this.sections = sections;
    this.values = new FieldValues(query.fields().size());
  }

  CompletionStage<FieldValues> read() {
    return sections.next().thenCompose(this::take);
  }

  private CompletionStage<FieldValues> take(Section section) {
    FieldQuery part =
        new FieldQuery(
            query.part().of(query.part().row(), section.range()), query.fields(), query.filter());
    PartFieldReader.read(section.parts(), part, values, ValuesReader::addMerged);
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
