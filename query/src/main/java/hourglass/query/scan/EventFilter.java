package hourglass.query.scan;

import hourglass.bytes.ByteSearch;
import hourglass.query.BadParameterException;
import hourglass.query.ContentFilter;
import hourglass.query.Selection;
import hourglass.query.filter.PayloadSearch;
import hourglass.query.filter.RequiredTexts;
import hourglass.query.where.Where;
import hourglass.query.where.WhereException;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.SoughtWord;
import hourglass.store.TextFilter;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The filter of a selection on the content of an event, besides its row and time. Immutable. */
public record EventFilter(
    List<PayloadSearch> texts,
    @Nullable Where where,
    String expression,
    @Nullable ContentFilter content,
    BooleanSupplier gone) {

  /**
   * Returns the filter of a query that the client never cancels; see {@link #of(Selection,
   * BooleanSupplier)}.
   */
  public static @Nullable EventFilter of(Selection selection) {
    return of(selection, () -> false);
  }

  /**
   * Returns the filter of one query; null if every event of its rows and times passes.
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

  /**
   * Returns a filter for the store that passes every event that this filter accepts; null if there
   * is none.
   */
  public @Nullable FieldFilter fields() {
    FieldFilter ofContent = content == null ? null : content.fields();
    if (ofContent != null) {
      return ofContent;
    }
    List<List<ByteSearch>> required =
        texts.stream().map(PayloadSearch::required).filter(any -> !any.isEmpty()).toList();
    List<List<SoughtWord>> words =
        texts.stream().flatMap(text -> text.words().stream()).distinct().map(List::of).toList();
    FieldFilter ofFields = where == null ? null : where.fields(null, required, words);
    if (ofFields != null) {
      return ofFields;
    }
    RequiredTexts implied = where == null ? RequiredTexts.NONE : where.required();
    TextFilter ofTexts =
        new TextFilter(
            required,
            implied.texts(),
            Stream.concat(words.stream(), implied.words().stream()).toList());
    return ofTexts.requiresAny() ? ofTexts : null;
  }

  /**
   * Returns a filter for the store on events of one type. Each event that certainly matches it
   * passes this filter, too. Null if there is none.
   */
  public @Nullable FieldFilter decidingFields(String type) {
    if (!texts.isEmpty()) {
      return null;
    }
    if (content != null) {
      return where == null ? content.decidingFields() : null;
    }
    return where == null ? null : where.fields(type, List.of(), List.of());
  }

  /**
   * Whether column {@code i} of a row passes the filter.
   *
   * @throws BadParameterException if the expression needs too much time or memory
   * @throws java.util.concurrent.CancellationException once the query is cancelled
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
