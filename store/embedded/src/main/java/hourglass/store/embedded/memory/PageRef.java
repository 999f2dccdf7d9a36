package hourglass.store.embedded.memory;

import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.NameRanges;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.rows.MinuteCounts;
import org.jspecify.annotations.Nullable;

/** A page of a row. */
public record PageRef(HourPages pages, PageMeta meta) implements RowPart {

  @Override
  public TimeUuid first() {
    return meta.first();
  }

  @Override
  public TimeUuid last() {
    return meta.last();
  }

  @Override
  public int count() {
    return meta.count();
  }

  @Override
  public long payloadBytes() {
    return meta.payloadBytes();
  }

  @Override
  public @Nullable NameRanges names() {
    return meta.names();
  }

  @Override
  public long group() {
    return meta.group();
  }

  @Override
  public Columns load(Projection projection) {
    return pages.read(meta, projection);
  }

  @Override
  public MinuteCounts minutes() {
    return meta.minutes();
  }

  @Override
  public void values(FieldQuery query, FieldValues into) {
    pages.values(meta, query, into);
  }

  @Override
  public boolean mayMatch(FieldFilter filter) {
    return pages.mayMatch(meta, filter);
  }

  @Override
  public boolean mayMatchUnread(FieldFilter filter) {
    return pages.mayMatchByIndex(meta, filter);
  }

  @Override
  public Columns match(FieldFilter filter) {
    return pages.match(meta, filter);
  }
}
