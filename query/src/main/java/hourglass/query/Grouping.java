package hourglass.query;

import java.util.List;

/**
 * The grouping of an answer's events. Immutable.
 *
 * @param by {@link #TYPE}, or fields of the payload such as {@code data.host}, each once; at most
 *     {@link #BY_MAX}, and empty for one group
 * @param groupsMax the number of groups, those with most events; all others are one further group.
 *     0 for no bound, only by type alone
 */
public record Grouping(List<String> by, int groupsMax) {
  public static final String TYPE = "type";

  /** The most fields of a grouping. Values of more fields seldom repeat together. */
  public static final int BY_MAX = 3;

  /** The most groups. A chart or a table of more can hardly be read. */
  public static final int GROUPS_MAX = 1_000;

  public static final int GROUPS_DEFAULT = 20;

  /** The grouping of all events in one group. */
  public static final Grouping NONE = new Grouping(List.of(), 0);

  /** The grouping by type, with a group for each. */
  public static final Grouping OF_TYPES = new Grouping(List.of(TYPE), 0);

  public Grouping {
    by = List.copyOf(by);
    boolean isOfTypes = by.isEmpty() || by.equals(List.of(TYPE));
    if (by.size() > BY_MAX || groupsMax > GROUPS_MAX || groupsMax < (isOfTypes ? 0 : 1)) {
      throw new IllegalArgumentException("grouping by " + by + ", at most " + groupsMax);
    }
  }

  /** Whether the group depends on the payload. */
  public boolean hasFields() {
    return by.stream().anyMatch(field -> !field.equals(TYPE));
  }

  public boolean isBounded() {
    return groupsMax > 0;
  }
}
