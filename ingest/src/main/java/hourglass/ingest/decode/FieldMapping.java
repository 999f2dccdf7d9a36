package hourglass.ingest.decode;

import static java.util.Objects.requireNonNullElse;

import hourglass.bucketing.EventType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object that make it an event. A name with dots is a key first, then a path
 * of nested objects; the longest first key wins.
 *
 * @param type one type for all events, in place of the type field; null to read the field
 */
public record FieldMapping(
    String typeField, String timeField, String idField, @Nullable String type) {

  /** Longer names are a mistake, and cost a comparison for each event. */
  public static final int NAME_CHARS_MAX = 256;

  /** Each dot is another way to split a name, tried at each level of each event. */
  public static final int NAME_DOTS_MAX = 8;

  public static final List<String> NAMES = List.of("type_field", "time_field", "id_field", "type");

  public static final FieldMapping DEFAULT = new FieldMapping("type", "time", "id", null);

  public FieldMapping {
    check("type_field", typeField);
    check("time_field", timeField);
    check("id_field", idField);
    if (type != null) {
      EventType.check(type);
    }
  }

  /** Made of parts by their {@link #NAMES}; a field that is not given has its usual name. */
  public static FieldMapping of(Function<String, @Nullable String> parts) {
    return new FieldMapping(
        requireNonNullElse(parts.apply("type_field"), DEFAULT.typeField),
        requireNonNullElse(parts.apply("time_field"), DEFAULT.timeField),
        requireNonNullElse(parts.apply("id_field"), DEFAULT.idField),
        parts.apply("type"));
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
