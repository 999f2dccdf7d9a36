package hourglass.ingest.decode;

import hourglass.bucketing.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of a JSON object make it an event. A name with dots is looked up as it is first,
 * then as a path of objects inside one another; of several ways to split it the longest first key
 * wins.
 *
 * @param typeField the field that holds the type
 * @param timeField the field that holds the time
 * @param idField the field that holds the id
 * @param type one type for all, so that the type field is not read; null to read it
 */
public record FieldMapping(
    String typeField, String timeField, String idField, @Nullable String type) {

  /** Longer names are a mistake, and would be searched for in every event. */
  public static final int NAME_CHARS_MAX = 256;

  /** Each dot is another way to split a name, to be tried at each level of each event. */
  public static final int NAME_DOTS_MAX = 8;

  /** {@code type}, {@code time} and {@code id}. */
  public static final FieldMapping DEFAULT = new FieldMapping("type", "time", "id", null);

  /** Names must not be empty and the type, if any, must be one. */
  public FieldMapping {
    check("type_field", typeField);
    check("time_field", timeField);
    check("id_field", idField);
    if (type != null) {
      EventType.check(type);
    }
  }

  private static void check(String key, String name) {
    if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
      throw new IllegalArgumentException(
          key + ": " + name.length() + " characters, want 1 to " + NAME_CHARS_MAX);
    }
    long dots = name.chars().filter(c -> c == '.').count();
    if (dots > NAME_DOTS_MAX) {
      throw new IllegalArgumentException(key + ": " + dots + " dots, at most " + NAME_DOTS_MAX);
    }
  }
}
