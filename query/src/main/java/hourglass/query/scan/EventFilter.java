package hourglass.query.scan;

import hourglass.bytes.ByteSearch;
import hourglass.query.BadParameterException;
import hourglass.query.ContentFilter;
import hourglass.query.Selection;
import hourglass.query.filter.PayloadSearch;
import hourglass.query.where.Where;
import hourglass.query.where.WhereException;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.TextFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The filter of a selection on an event's content, beyond its row and time. Immutable. */
public record EventFilter(
    List<PayloadSearch> texts,
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
    return new EventFilter(
        texts(selection),
        where(selection.where(), gone),
        selection.where(),
        selection.content(),
        gone);
  }

  private static List<PayloadSearch> texts(Selection selection) {
    Stream<PayloadSearch> contains =
        Stream.of(selection.contains())
            .filter(text -> !text.isEmpty())
            .map(text -> PayloadSearch.of(text, selection.ignoreCase()));
    return Stream.concat(contains, selection.words().stream().map(PayloadSearch::ofWords)).toList();
  }

  public EventFilter until(BooleanSupplier isGone) {
    return new EventFilter(texts, where, expression, content, isGone);
  }

  private static @Nullable Where where(String expression, BooleanSupplier gone) {
    try {
      return expression.isEmpty() ? null : Where.compile(expression, gone);
    } catch (WhereException e) {
      throw refused(expression, e);
    }
  }

  /**
   * Checks an expression of {@code where}.
   *
   * @throws BadParameterException if it is invalid
   */
  public static void check(String expression) {
    Where ignored = where(expression, () -> false);
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
    List<ByteSearch> required = new ArrayList<>();
    for (PayloadSearch text : texts) {
      ByteSearch bytes = text.required();
      if (bytes != null) {
        required.add(bytes);
      }
    }
    FieldFilter ofFields = where == null ? null : where.fields(null, required);
    return ofFields == null && !required.isEmpty() ? TextFilter.ofAll(required) : ofFields;
  }

  /** For events of one type. One that matches it for certain passes this filter. */
  public @Nullable FieldFilter decidingFields(String type) {
    if (!texts.isEmpty()) {
      return null;
    }
    if (content != null) {
      return where == null ? content.decidingFields() : null;
    }
    return where == null ? null : where.fields(type, List.of());
  }

  /**
   * Whether the filter takes column {@code i} of a row.
   *
   * @throws BadParameterException if the expression needs too much time or memory
   * @throws java.util.concurrent.CancellationException once the query is given up
   */
  public boolean takes(String type, Columns columns, int i) {
    try {
      return texts.stream().allMatch(text -> text.isIn(columns, i, gone))
          && (where == null || where.matches(columns, i, type, gone))
          && (content == null || content.takes(type, columns, i, gone));
    } catch (WhereException e) {
      throw refused(expression, e);
    }
  }
}
