package hourglass.load;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an event's type, time and id stand in its JSON: field names that may be paths ({@code a.b};
 * a literal key with dots wins).
 *
 * @param type the type of all events; null: each event's own
 */
record Mapping(String typeField, String timeField, String idField, @Nullable String type) {
  static final String TYPE_FIELD = "type";
  static final String TIME_FIELD = "time";
  static final String ID_FIELD = "id";
  static final Mapping DEFAULT = new Mapping(TYPE_FIELD, TIME_FIELD, ID_FIELD, null);

  private static final int TYPE = 0;
  private static final int TIME = 1;
  private static final int ID = 2;
  private static final Pattern DOT = Pattern.compile("\\.");

  /** As query parameters of a push, with its question mark; empty when all are the defaults. */
  String query() {
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
      query.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
  }

  Extractor extractor() {
    return new Extractor(this);
  }

  /** Reads the fields of one event after the other. Not for several threads. */
  static final class Extractor {
    private final @Nullable String fixedType;
    private final String[] literals;
    private final String[][] paths;
    private final @Nullable String[] found = new String[3];
    private final boolean[] literal = new boolean[3];
    private boolean timeIsNumber;

    private Extractor(Mapping mapping) {
      fixedType = mapping.type;
      literals = new String[] {mapping.typeField, mapping.timeField, mapping.idField};
      paths = new String[3][];
      for (int i = 0; i < 3; i++) {
        paths[i] = DOT.split(literals[i], -1);
      }
    }

    /** Reads an object whose start is the parser's current token, up to its end. */
    void read(JsonParser parser) throws IOException {
      for (int i = 0; i < 3; i++) {
        found[i] = null;
        literal[i] = false;
      }
      timeIsNumber = false;
      object(parser, 0, 0b111);
    }

    private void object(JsonParser parser, int depth, int candidates) throws IOException {
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        int deeper = 0;
        for (int i = 0; i < 3; i++) {
          if (depth == 0 && name.equals(literals[i])) {
            take(i, parser, value, true);
          } else if ((candidates & 1 << i) != 0 && stepOf(i, depth, name)) {
            deeper |= leaf(i, depth) ? takeLeaf(i, parser, value) : 1 << i;
          }
        }
        if (deeper != 0 && value == JsonToken.START_OBJECT) {
          object(parser, depth + 1, deeper);
        } else {
          parser.skipChildren();
        }
      }
    }

    private boolean stepOf(int field, int depth, String name) {
      return depth < paths[field].length && paths[field][depth].equals(name);
    }

    private boolean leaf(int field, int depth) {
      return depth == paths[field].length - 1;
    }

    private int takeLeaf(int field, JsonParser parser, JsonToken value) throws IOException {
      take(field, parser, value, false);
      return 0;
    }

    private void take(int field, JsonParser parser, JsonToken value, boolean isLiteral)
        throws IOException {
      if (!value.isScalarValue() || value == JsonToken.VALUE_NULL || literal[field] && !isLiteral) {
        return;
      }
      found[field] = parser.getText();
      literal[field] = isLiteral;
      if (field == TIME) {
        timeIsNumber = value.isNumeric();
      }
    }

    /** The type; empty when the event has none. */
    String type() {
      if (fixedType != null) {
        return fixedType;
      }
      String type = found[TYPE];
      return type == null ? "" : type;
    }

    /** In {@link hourglass.bucketing.Ticks}, or {@link JsonTimes#NONE}. */
    long ticks() {
      String time = found[TIME];
      if (time == null) {
        return JsonTimes.NONE;
      }
      return timeIsNumber ? JsonTimes.ofNumber(time) : JsonTimes.ofText(time);
    }

    @Nullable String id() {
      return found[ID];
    }
  }
}
