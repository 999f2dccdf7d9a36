package hourglass.store;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.Spans;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter on fields of JSON payloads, for engines that keep the values of a field together. It may
 * let payloads pass that do not match, but it never holds back one that matches. Immutable.
 *
 * <p>The places of the fields must depend on the structure of a payload alone: its keys, objects
 * and arrays. Payloads that differ only in their strings, numbers, {@code true}, {@code false} and
 * {@code null} have the same fields at the same places. Each object on the way to a field is a
 * field as well.
 */
public interface FieldFilter {
  /**
   * Finds the places of the fields, by their numbers. Returns null if the payload must be judged as
   * a whole.
   */
  @Nullable Spans find(byte[] payload, int from, int to);

  /**
   * Whether a payload with these values may match. If a value is an object, only its first byte is
   * present and may be judged.
   *
   * @param places as {@link #find} returns them
   */
  boolean mayMatch(byte[] bytes, Spans places);

  /**
   * Whether a payload with these values matches for certain. Such columns are counted ({@link
   * FieldValues}) and never judged again.
   */
  default boolean surelyMatches(byte[] bytes, Spans places) {
    return false;
  }

  /**
   * The least number that a field may have, if it has one. A payload whose number in this field is
   * outside {@code [least, greatest]} does not match, where the filter {@link #isBounded}.
   */
  default double least(int field) {
    return Double.NEGATIVE_INFINITY;
  }

  default double greatest(int field) {
    return Double.POSITIVE_INFINITY;
  }

  /** Whether the bounds of fields hold for payloads that have fields at these places. */
  default boolean isBounded(Spans places) {
    return true;
  }

  /**
   * The only string that a field may have. A payload with another value in this field does not
   * match. Null if there is no such string. The string contains no U+FFFD and no unpaired
   * surrogates, like the texts of {@link #required}.
   */
  default @Nullable String only(int field) {
    return null;
  }

  /**
   * The lists of values that are required: a payload matches only if it contains one value of each
   * list, as a member of itself or of an object in it. Members of objects in arrays do not count.
   * The texts and keys contain no U+FFFD and no unpaired surrogates.
   */
  default List<List<FieldValue>> required() {
    return List.of();
  }

  /**
   * The lists of texts that are required: a payload matches only if it contains the bytes of one
   * text of each list, at any place. If there are any lists, {@link #surelyMatches} is false, since
   * it sees no whole payload.
   */
  default List<List<ByteSearch>> texts() {
    return List.of();
  }

  /**
   * The lists of texts that a match implies, like {@link #texts}. The filter need not look for them
   * in a payload, as its other tests decide; they only tell where no payload can match.
   */
  default List<List<ByteSearch>> impliedTexts() {
    return List.of();
  }

  /**
   * The lists of words that are required: a payload matches only if one word of each list is among
   * the words of its texts ({@link hourglass.bytes.JsonTexts}).
   */
  default List<List<SoughtWord>> words() {
    return List.of();
  }

  /** Whether the filter requires any value, text or word. */
  default boolean requiresAny() {
    return !(required().isEmpty()
        && texts().isEmpty()
        && impliedTexts().isEmpty()
        && words().isEmpty());
  }

  /** Whether the payload of column {@code i} may match. */
  default boolean mayMatch(Columns columns, int i) {
    int from = columns.offset(i);
    int to = from + columns.length(i);
    for (List<ByteSearch> any : texts()) {
      if (any.stream().noneMatch(text -> text.find(columns.bytes(), from, to) >= 0)) {
        return false;
      }
    }
    Spans places = find(columns.bytes(), from, to);
    return places == null || mayMatch(columns.bytes(), places);
  }
}
