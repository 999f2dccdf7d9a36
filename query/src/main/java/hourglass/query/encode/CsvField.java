package hourglass.query.encode;

import hourglass.query.BadParameterException;
import java.util.ArrayList;
import java.util.List;

/**
 * A column of a csv answer.
 *
 * @param name the name in the query and in the header line
 * @param kind the part of the event that it shows
 * @param path the field of the payload, for {@link Kind#PATH}; else empty
 */
public record CsvField(String name, Kind kind, String path) {
  /** The names that a query may use. */
  static final String ALLOWED = "id, time, type, data or a path such as data.path";

  /** The prefix of paths into the payload. */
  public static final String DATA = "data.";

  /** A bound, since each column costs time for every event. */
  private static final int FIELDS_MAX = 64;

  /** The part of an event that a column shows. */
  public enum Kind {
    ID,
    TIME,
    TYPE,
    DATA,
    /** One field of the payload. */
    PATH
  }

  /** The columns of a query that names none. */
  public static List<CsvField> standard() {
    return parse("id,time,type,data");
  }

  /**
   * Parses {@code id,data.path,data.ms}.
   *
   * @throws BadParameterException with the name that is not a column
   */
  public static List<CsvField> parse(String text) {
    List<CsvField> fields = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      fields.add(field(name));
    }
    if (fields.size() > FIELDS_MAX) {
      throw new BadParameterException("fields: " + fields.size() + ", at most " + FIELDS_MAX);
    }
    return List.copyOf(fields);
  }

  private static CsvField field(String name) {
    return switch (name) {
      case "id" -> new CsvField(name, Kind.ID, "");
      case "time" -> new CsvField(name, Kind.TIME, "");
      case "type" -> new CsvField(name, Kind.TYPE, "");
      case "data" -> new CsvField(name, Kind.DATA, "");
      default -> {
        if (!name.startsWith(DATA) || name.length() == DATA.length()) {
          throw BadParameterException.of("fields", name, ALLOWED);
        }
        yield new CsvField(name, Kind.PATH, name.substring(DATA.length()));
      }
    };
  }
}
