package hourglass.query.encode;

import hourglass.bytes.JsonPath;
import hourglass.query.BadParameterException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The form of a CSV answer.
 *
 * @param safe whether an apostrophe is added to cells that resemble formulas; see {@link
 *     FormulaGuard}
 */
public record CsvTable(List<Field> fields, boolean safe) {
  public static final String PATHS = "data.";

  /** The names of fields within the payload, for messages. */
  public static final String PATHS_ALLOWED = "a path into the payload such as data.ms, or ms";

  public static final String STANDARD_FIELDS = "id,time,type,data";

  public static final CsvTable STANDARD = parse(STANDARD_FIELDS, false);

  /** The most columns. Each costs time for every event. */
  private static final int FIELDS_MAX = 64;

  /** The part of an event that a column shows. */
  public enum Kind {
    ID,
    TIME,
    TYPE,
    DATA,
    PATH
  }

  /**
   * A column, as named in the query and the header line.
   *
   * @param path the field of the payload for {@link Kind#PATH}; else empty
   */
  public record Field(String name, Kind kind, String path) {}

  /**
   * Parses columns such as {@code id,data.path,data.ms}.
   *
   * @throws BadParameterException with the name that is not a column
   */
  public static CsvTable parse(String names, boolean safe) {
    List<Field> fields = Arrays.stream(names.split(",", -1)).map(CsvTable::field).toList();
    if (fields.size() > FIELDS_MAX) {
      throw new BadParameterException("fields: " + fields.size() + ", at most " + FIELDS_MAX);
    }
    return new CsvTable(fields, safe);
  }

  /**
   * Returns the path within the payload for the name of a field, with or without {@code data.} at
   * its beginning.
   */
  public static String path(String name) {
    return name.startsWith(PATHS) ? name.substring(PATHS.length()) : name;
  }

  /**
   * Returns the path within the payload for the name in a parameter, with or without {@code data.}
   * at its beginning.
   *
   * @throws BadParameterException if it is none
   */
  public static String path(String parameter, String name, String allowed) {
    if (name.length() > JsonPath.CHARS_MAX) {
      throw new BadParameterException(
          "%s: %d characters, at most %d".formatted(parameter, name.length(), JsonPath.CHARS_MAX));
    }
    String path = path(name);
    if (path.isEmpty() || path.equals("data")) {
      throw BadParameterException.of(parameter, name, allowed);
    }
    return path;
  }

  private static Field field(String name) {
    return switch (name) {
      case "id", "time", "type", "data" ->
          new Field(name, Kind.valueOf(name.toUpperCase(Locale.ROOT)), "");
      default -> {
        String path = path(name);
        if (path.isEmpty()) {
          throw BadParameterException.of(
              "fields", name, "id, time, type, data or a path such as data.path");
        }
        yield new Field(name, Kind.PATH, path);
      }
    };
  }
}
