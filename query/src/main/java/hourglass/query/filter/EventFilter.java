package hourglass.query.filter;

import hourglass.query.BadParameterException;
import hourglass.query.ContentFilter;
import hourglass.query.Selection;
import hourglass.query.where.PayloadSearch;
import hourglass.query.where.Where;
import hourglass.query.where.WhereException;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.TextFilter;
import hourglass.store.text.ByteSearch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The filter of a selection on an event's content, beyond its row and time. Immutable. */
public record EventFilter(
    @Nullable PayloadSearch contains,
    @Nullable Where where,
    String expression,
    @Nullable ContentFilter content,
    BooleanSupplier gone) {

  /** As the method below, for a query that the client never gives up. */
  public static @Nullable EventFilter of(Selection selection) {
    return of(selection, () -> false);
  }

  /**
   * The filter of one query; null if it takes every event of its rows and times.
   *
   * @throws BadParameterException if its expression is invalid
   * @throws java.util.concurrent.CancellationException once {@code gone}
   */
  public static @Nullable EventFilter of(Selection selection, BooleanSupplier gone) {
    if (!selection.isFiltered()) {
      return null;
    }
    PayloadSearch contains =
        selection.contains().isEmpty()
            ? null
            : PayloadSearch.of(selection.contains(), selection.ignoreCase());
    return new EventFilter(
        contains, where(selection.where(), gone), selection.where(), selection.content(), gone);
  }

  public EventFilter until(BooleanSupplier isGone) {
    return new EventFilter(contains, where, expression, content, isGone);
  }

  private static @Nullable Where where(String expression, BooleanSupplier gone) {
    try {
      return expression.isEmpty() ? null : Where.compile(expression, gone);
    } catch (WhereException e) {
      throw refused(expression, e);
    }
  }

  private static BadParameterException refused(String expression, WhereException e) {
    return new BadParameterException("where: \"" + expression + "\": " + e.getMessage());
  }

  /** A filter for the store that every event of this one passes; null if there is none. */
  public @Nullable FieldFilter fields() {
    FieldFilter ofContent = content == null ? null : content.fields();
    if (ofContent != null) {
      return ofContent;
    }
    ByteSearch text = contains == null ? null : contains.required();
    FieldFilter ofFields = where == null ? null : where.fields(null, text);
    return ofFields == null && text != null ? new TextFilter(text) : ofFields;
  }

  /** For events of one type. One that matches it for certain passes this filter. */
  public @Nullable FieldFilter decidingFields(String type) {
    if (contains != null) {
      return null;
    }
    if (content != null) {
      return where == null ? content.decidingFields() : null;
    }
    return where == null ? null : where.fields(type, null);
  }

  /**
   * Whether the filter takes column {@code i} of a row.
   *
   * @throws BadParameterException if the expression needs too much time or memory
   * @throws java.util.concurrent.CancellationException once the query is given up
   */
  public boolean takes(String type, Columns columns, int i) {
    try {
      return (contains == null || contains.isIn(columns, i, gone))
          && (where == null || where.matches(columns, i, type, gone))
          && (content == null || content.takes(type, columns, i, gone));
    } catch (WhereException e) {
      throw refused(expression, e);
    }
  }
}
