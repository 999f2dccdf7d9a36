package hourglass.ingest.decode;

import hourglass.bucketing.EventType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object that make it an event. A name with dots is a key first, then a path
 * of nested objects; the longest first key wins. A null field is not read.
 *
 * @param otherTimeFields fields that replace {@code timeField} where it is absent: the first of
 *     them that contains a time, in this order
 * @param type one type for all events, in place of the type field; null to read the field
 */
public record FieldMapping(
    @Nullable String typeField,
    @Nullable String timeField,
    @Nullable String idField,
    List<String> otherTimeFields,
    @Nullable String type) {

  /** The longest name. Longer ones are a mistake, and cost a comparison for each event. */
  public static final int NAME_CHARS_MAX = 256;

  /**
   * The most dots of a name. Each dot is another way to split the name, tried at each level of each
   * event.
   */
  public static final int NAME_DOTS_MAX = 8;

  public static final List<String> NAMES = List.of("type_field", "time_field", "id_field", "type");

  public static final FieldMapping DEFAULT =
      new FieldMapping(
          "type", "time", "id", List.of("timestamp", "@timestamp", "ts", "eventTime"), null);

  /** The mapping that reads no field, for records whose protocol gives type, time and id. */
  public static final FieldMapping NONE = new FieldMapping(null, null, null, null);

  /** The most other time fields. Each is compared with every key of an event. */
  public static final int OTHER_TIME_FIELDS_MAX = 4;

  public FieldMapping(
      @Nullable String typeField,
      @Nullable String timeField,
      @Nullable String idField,
      @Nullable String type) {
    this(typeField, timeField, idField, List.of(), type);
  }

  public FieldMapping {
    otherTimeFields = List.copyOf(otherTimeFields);
    otherTimeFields.forEach(name -> check("time_field", name));
    if (otherTimeFields.size() > OTHER_TIME_FIELDS_MAX) {
      throw new IllegalArgumentException("time_field: more than " + (OTHER_TIME_FIELDS_MAX + 1));
    }
    check("type_field", typeField);
    check("time_field", timeField);
    check("id_field", idField);
    if (type != null) {
      EventType.check(type);
    }
  }

  /**
   * Creates a mapping from parts by their {@link #NAMES}. A field that is not given keeps its usual
   * name. A given time field has no replacements.
   */
  public static FieldMapping of(Function<String, @Nullable String> parts) {
    return DEFAULT.with(parts);
  }

  /** Returns whether no field of a payload needs to be read. */
  boolean readsNothing() {
    return typeField == null && timeField == null && idField == null && otherTimeFields.isEmpty();
  }

  /** Returns the mapping with the fields that {@code parts} name in place of these. */
  public FieldMapping with(Function<String, @Nullable String> parts) {
    String time = parts.apply("time_field");
    return new FieldMapping(
        orElse(parts.apply("type_field"), typeField),
        time == null ? timeField : time,
        orElse(parts.apply("id_field"), idField),
        time == null ? otherTimeFields : List.of(),
        orElse(parts.apply("type"), type));
  }

  private static @Nullable String orElse(@Nullable String given, @Nullable String own) {
    return given == null ? own : given;
  }

  private static void check(String key, @Nullable String name) {
    if (name == null) {
      return;
    }
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
