package hourglass.query.http;

import hourglass.bucketing.EventType;
import hourglass.query.BadParameterException;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.typed.TypedFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that select events, with the filter in {@code q}.
 *
 * @param filter null if there is none
 */
record SelectionParameters(ParameterValues values, @Nullable TypedFilter filter) {
  /** The expression that no event matches. */
  private static final String NEVER = "false";

  Selection selection() {
    String contains = values.text("contains");
    if (contains.isEmpty()) {
      values.refuse("icase", "without contains; want both or none");
    }
    SortedSet<String> types = types();
    List<String> words = words();
    String where = values.text("where");
    if (filter == null) {
      return selection(types, contains, words, where);
    }
    words.addAll(filter.words());
    SortedSet<String> both = both(types, filter.types());
    String typed = both.isEmpty() && !types.isEmpty() ? NEVER : filter.where();
    return selection(both.isEmpty() ? types : both, contains, words, joined(where, typed));
  }

  private Selection selection(
      SortedSet<String> types, String contains, List<String> words, String where) {
    boolean ignoresCase = values.isTrue("icase");
    return new Selection(types, range(), contains, ignoresCase, words, where, null);
  }

  /** Returns the types in both sets; an empty set stands for all types. */
  private static SortedSet<String> both(SortedSet<String> some, SortedSet<String> others) {
    if (some.isEmpty() || others.isEmpty()) {
      return some.isEmpty() ? others : some;
    }
    SortedSet<String> both = new TreeSet<>(some);
    both.retainAll(others);
    return both;
  }

  /**
   * Joins two expressions, each of which is valid alone. The line breaks end a comment in either of
   * them.
   */
  private static String joined(String one, String other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one + other;
    }
    return "(" + one + "\n) && (" + other + "\n)";
  }

  private List<String> words() {
    List<String> words = new ArrayList<>(values.all("word"));
    if (words.contains("")) {
      throw BadParameterException.of("word", "", "a text of at least one character");
    }
    if (words.size() > TypedFilter.WORDS_MAX) {
      throw new BadParameterException(
          "word: given %d times, at most %d".formatted(words.size(), TypedFilter.WORDS_MAX));
    }
    return words;
  }

  /** Returns the types; empty for all types. */
  SortedSet<String> types() {
    TreeSet<String> types = new TreeSet<>();
    for (String type : values.all("type")) {
      try {
        types.add(EventType.check(type));
      } catch (IllegalArgumentException e) {
        throw BadParameterException.of(
            "type", type, "an event type of 1 to " + EventType.BYTES_MAX + " bytes of UTF-8");
      }
    }
    return types;
  }

  private TimeRange range() {
    String hour = values.one("hour");
    String from = values.one("from");
    String to = values.one("to");
    if (hour != null) {
      if (from != null || to != null) {
        values.refuse("hour", "with from or to; want either");
      }
      return TimeRange.of(TimeText.hour("hour", hour));
    }
    long fromTicks = from == null ? TimeRange.ALL.fromTicks() : TimeText.parse("from", from);
    long toTicks = to == null ? TimeRange.ALL.toTicks() : TimeText.parse("to", to);
    if (fromTicks > toTicks) {
      throw new BadParameterException(
          "from: \"" + from + "\" is after to: \"" + to + "\"; want a range [from, to)");
    }
    return new TimeRange(fromTicks, toTicks);
  }
}
