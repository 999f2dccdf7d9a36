package hourglass.load.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The names of an event's fields, which may be paths ({@code a.b}; a literal key with dots wins).
 *
 * @param type the type of all events; null if each event has its own
 */
public record Mapping(String typeField, String timeField, String idField, @Nullable String type) {
  static final String TYPE_FIELD = "type";
  static final String TIME_FIELD = "time";
  static final String ID_FIELD = "id";
  public static final Mapping DEFAULT = new Mapping(TYPE_FIELD, TIME_FIELD, ID_FIELD, null);

  private static final int TYPE = 0;
  private static final int TIME = 1;
  private static final int ID = 2;
  private static final int FIELDS = 3;

  /** Returns query parameters with their question mark, or an empty text for the defaults. */
  public String query() {
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    parameter(query, "type_field", typeField, TYPE_FIELD);
    parameter(query, "time_field", timeField, TIME_FIELD);
    parameter(query, "id_field", idField, ID_FIELD);
    if (type != null) {
      parameter(query, "type", type, "");
    }
    return query.toString();
  }

  private static void parameter(StringJoiner query, String name, String value, String unsaid) {
    if (!value.equals(unsaid)) {
      query.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    }
  }

  public Extractor extractor() {
    return new Extractor(this);
  }

  /** Reads the fields of events. Not thread-safe. */
  public static final class Extractor {
    private final @Nullable String fixedType;
    private final @Nullable String[] names;
    private final @Nullable String[] found = new String[FIELDS];

    /**
     * The lengths of the matching keys for each field, one character each. The greater text wins.
     */
    private final String[] ranks = new String[FIELDS];

    private boolean timeIsNumber;

    private Extractor(Mapping mapping) {
      fixedType = mapping.type;
      names = new String[] {mapping.typeField, mapping.timeField, mapping.idField};
    }

    /**
     * Reads [from, to). Returns whether it is an object; otherwise it has no fields.
     *
     * @throws IOException if it is not JSON
     */
    public boolean read(byte[] bytes, int from, int to) throws IOException {
      clear();
      try (JsonParser parser = Json.parser(bytes, from, to - from)) {
        boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
        if (isObject) {
          object(parser, names, "");
        }
        return isObject;
      }
    }

    /** Reads an object, whose start is the parser's current token. */
    void read(JsonParser parser) throws IOException {
      clear();
      object(parser, names, "");
    }

    private void clear() {
      Arrays.fill(found, null);
      Arrays.fill(ranks, "");
      timeIsNumber = false;
    }

    /**
     * Looks for the rest of each name as one key, or for its first part as the key of an object.
     */
    private void object(JsonParser parser, @Nullable String[] rests, String rank)
        throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String key = parser.currentName();
        JsonToken value = parser.nextToken();
        @Nullable String[] deeper = null;
        for (int field = 0; field < FIELDS; field++) {
          String rest = rests[field];
          if (rest != null && rest.equals(key)) {
            take(field, parser, value, rank + (char) key.length());
          } else if (rest != null
              && value == JsonToken.START_OBJECT
              && rest.startsWith(key + '.')) {
            deeper = deeper == null ? new String[FIELDS] : deeper;
            deeper[field] = rest.substring(key.length() + 1);
          }
        }
        if (deeper == null) {
          parser.skipChildren();
        } else {
          object(parser, deeper, rank + (char) key.length());
        }
      }
    }

    private void take(int field, JsonParser parser, JsonToken value, String rank)
        throws IOException {
      if (rank.compareTo(ranks[field]) <= 0) {
        return;
      }
      boolean number = value.isNumeric() && field != TYPE;
      found[field] = number || value == JsonToken.VALUE_STRING ? parser.getText() : null;
      ranks[field] = rank;
      timeIsNumber |= number && field == TIME;
    }

    /** Returns the type, or an empty text if there is none. */
    public String type() {
      return fixedType != null ? fixedType : Objects.requireNonNullElse(found[TYPE], "");
    }

    public boolean hasTime() {
      return found[TIME] != null;
    }

    /** Returns the time, or {@link JsonTimes#NONE} if there is none that can be read. */
    public long ticks() {
      String time = found[TIME];
      if (time == null) {
        return JsonTimes.NONE;
      }
      return timeIsNumber ? JsonTimes.ofNumber(time) : JsonTimes.ofText(time);
    }

    /** Returns the id, or an empty text if there is none. */
    public String id() {
      return Objects.requireNonNullElse(found[ID], "");
    }
  }
}
