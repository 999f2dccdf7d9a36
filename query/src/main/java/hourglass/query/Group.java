package hourglass.query;

import java.util.List;

/**
 * The events that agree in the type or the values by which a {@link Grouping} groups. Immutable.
 *
 * @param parts one for each of {@link Grouping#by}; empty for all events together and for {@link
 *     #OTHERS}
 */
public record Group(List<Part> parts, boolean isOthers) {
  /** The group of all events. */
  public static final Group ALL = new Group(List.of(), false);

  /** The events outside the groups with most events. */
  public static final Group OTHERS = new Group(List.of(), true);

  public Group {
    parts = List.copyOf(parts);
  }

  public static Group of(List<Part> parts) {
    return new Group(parts, false);
  }

  public static Group ofType(String type) {
    return of(List.of(new Part(Grouping.TYPE, Kind.TYPE, type)));
  }

  /** The kind of a field's value in the events of a group. */
  public enum Kind {
    TYPE,
    VALUE,
    ABSENT,
    /** An object or a list. */
    NESTED,
    /** A value that is too long to group by. */
    TOO_LONG
  }

  /**
   * The type or the value that the events of a group share.
   *
   * @param text the type, or the value as JSON; else empty
   */
  public record Part(String field, Kind kind, String text) {}

  public boolean isOfTypeAlone() {
    return parts.size() == 1 && parts.get(0).kind() == Kind.TYPE;
  }
}
