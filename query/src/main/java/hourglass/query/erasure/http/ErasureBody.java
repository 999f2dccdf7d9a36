package hourglass.query.erasure.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.Json;
import hourglass.query.BadParameterException;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.erasure.ErasureRequest;
import hourglass.query.erasure.IdFilter;
import hourglass.query.http.TimeText;
import hourglass.store.erasure.Erasure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for an erasure: a selection, or the token of a dry run. It is read
 * strictly, since a slip must not erase more than was meant. Immutable.
 *
 * @param token null with a selection
 * @param request null with a token
 */
record ErasureBody(@Nullable String token, @Nullable ErasureRequest request) {
  /** The most ids of one request. They fit into its body. */
  private static final int IDS_MAX = 1_000;

  /** The most types of one request, as many as a person reads. */
  private static final int TYPES_MAX = 1_000;

  /** The most characters of a reason, as many as a line of the audit file keeps. */
  private static final int REASON_CHARS_MAX = 256;

  private static final String TOKEN = "token";
  private static final String ICASE = "icase";

  /** The members, each a text but those of other kinds below. */
  private static final List<String> MEMBERS =
      List.of(
          "types",
          "from",
          "to",
          "where",
          "contains",
          ICASE,
          "word",
          "ids",
          "fields",
          "reason",
          TOKEN);

  private static final List<String> LISTS = List.of("types", "ids", "fields");

  /** The conditions, of which a request has exactly one. */
  private static final List<String> CONDITIONS = List.of("where", "contains", "word", "ids");

  /**
   * Reads a body.
   *
   * @throws BadParameterException if it is invalid; the message names the member
   */
  static ErasureBody parse(byte[] json) {
    Map<String, Object> members;
    try (JsonParser parser = Json.parser(json)) {
      members = members(parser);
    } catch (IOException e) {
      throw new BadParameterException(
          "body: no JSON; want an object such as {\"types\":[\"shop.cart\"],"
              + "\"from\":\"2026-11-20T08\",\"to\":\"2026-11-20T09\",\"where\":\"data.user == 7\"}",
          e);
    }
    return new Members(members).body();
  }

  private static Map<String, Object> members(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new BadParameterException("body: no JSON object; want one");
    }
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (!MEMBERS.contains(name)) {
        throw new BadParameterException(
            "%s: there is no such member; want some of %s"
                .formatted(name, String.join(", ", MEMBERS)));
      }
      parser.nextToken();
      if (members.put(name, value(name, parser)) != null) {
        throw new BadParameterException(name + ": given twice, want it once");
      }
    }
    if (parser.nextToken() != null) {
      throw new BadParameterException("body: more than one JSON object; want one");
    }
    return members;
  }

  private static Object value(String name, JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (LISTS.contains(name)) {
      return texts(name, parser);
    }
    if (name.equals(ICASE)) {
      if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
        return token == JsonToken.VALUE_TRUE;
      }
      throw new BadParameterException(ICASE + ": want true or false");
    }
    if (token != JsonToken.VALUE_STRING || parser.getText().isEmpty()) {
      throw new BadParameterException(name + ": want a text of at least one character");
    }
    return parser.getText();
  }

  private static List<String> texts(String name, JsonParser parser) throws IOException {
    List<String> texts = new ArrayList<>();
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      while (parser.nextToken() == JsonToken.VALUE_STRING) {
        texts.add(parser.getText());
      }
    }
    if (texts.isEmpty() || parser.currentToken() != JsonToken.END_ARRAY) {
      throw new BadParameterException(name + ": want an array of at least one text");
    }
    return texts;
  }

  /** The members of a body by their names. */
  private record Members(Map<String, Object> byName) {
    ErasureBody body() {
      String token = text(TOKEN);
      if (token == null) {
        return new ErasureBody(null, new ErasureRequest(selections(), blanked(), reason()));
      }
      if (byName.size() > 1) {
        throw new BadParameterException(
            "token: given with other members; want it alone, since the dry run has the selection");
      }
      return new ErasureBody(token, null);
    }

    private @Nullable String text(String name) {
      return (String) byName.get(name);
    }

    private String textOrEmpty(String name) {
      String text = text(name);
      return text == null ? "" : text;
    }

    @SuppressWarnings("unchecked") // members() has read it as a list of texts
    private List<String> list(String name) {
      Object list = byName.get(name);
      return list == null ? List.of() : (List<String>) list;
    }

    private List<Selection> selections() {
      List<String> conditions = CONDITIONS.stream().filter(byName::containsKey).toList();
      if (conditions.size() != 1) {
        throw new BadParameterException(
            "%s: want exactly one of %s; where: \"true\" selects all events of the types and the range"
                .formatted(
                    conditions.isEmpty() ? "where: not given" : String.join(", ", conditions),
                    String.join(", ", CONDITIONS)));
      }
      if (byName.containsKey(ICASE) && !byName.containsKey("contains")) {
        throw new BadParameterException("icase: given without contains; want both or none");
      }
      SortedSet<String> types = types();
      if (byName.containsKey("ids")) {
        return IdFilter.selections(types, ids(rangeOr(TimeRange.ALL)));
      }
      String word = text("word");
      return List.of(
          new Selection(
              types,
              rangeOr(null),
              textOrEmpty("contains"),
              Boolean.TRUE.equals(byName.get(ICASE)),
              word == null ? List.of() : List.of(word),
              textOrEmpty("where"),
              null));
    }

    private SortedSet<String> types() {
      List<String> given = list("types");
      if (given.size() > TYPES_MAX) {
        throw new BadParameterException(
            "types: %d of them, at most %d".formatted(given.size(), TYPES_MAX));
      }
      for (String type : given) {
        if (!EventType.isValid(type)) {
          throw BadParameterException.of(
              "types", type, "an event type of 1 to " + EventType.BYTES_MAX + " bytes of UTF-8");
        }
      }
      return new TreeSet<>(given);
    }

    /** Returns the range; the default, unless it is null, if none is given. */
    private TimeRange rangeOr(@Nullable TimeRange byDefault) {
      if (byDefault != null && !byName.containsKey("from") && !byName.containsKey("to")) {
        return byDefault;
      }
      long from = time("from");
      long to = time("to");
      if (from >= to) {
        throw new BadParameterException(
            "from: \"%s\" is not before to: \"%s\"; want a range [from, to)"
                .formatted(text("from"), text("to")));
      }
      return new TimeRange(from, to);
    }

    private long time(String name) {
      String text = text(name);
      if (text == null) {
        throw new BadParameterException(name + ": not given; want " + TimeText.ALLOWED);
      }
      return TimeText.parse(name, text);
    }

    private List<TimeUuid> ids(TimeRange range) {
      List<String> given = list("ids");
      if (given.size() > IDS_MAX) {
        throw new BadParameterException(
            "ids: %d of them, at most %d; want several requests".formatted(given.size(), IDS_MAX));
      }
      return given.stream().map(text -> id(text, range)).toList();
    }

    private static TimeUuid id(String text, TimeRange range) {
      TimeUuid id;
      try {
        id = TimeUuid.parse(text);
      } catch (IllegalArgumentException e) {
        throw new BadParameterException(
            "ids: \"%s\" is not the id of an event; want some such as %s"
                .formatted(text, "8a2f6c10-c5e5-11f0-9d3a-0242ac120002"),
            e);
      }
      if (!range.contains(id.ticks())) {
        throw new BadParameterException(
            "ids: \"%s\" is of a time out of the range; want one of %s"
                .formatted(
                    text, range.equals(TimeRange.ALL) ? years() : "[from, to), or no range"));
      }
      return id;
    }

    private static String years() {
      return "[" + Hour.FIRST + ", " + Hour.LAST.end() + ")";
    }

    private List<String> blanked() {
      List<String> fields = list("fields");
      if (fields.size() > Erasure.BLANKED_MAX) {
        throw new BadParameterException(
            "fields: %d of them, at most %d".formatted(fields.size(), Erasure.BLANKED_MAX));
      }
      return fields.stream()
          .map(name -> CsvTable.path("fields", name, CsvTable.PATHS_ALLOWED))
          .distinct()
          .toList();
    }

    private String reason() {
      String reason = textOrEmpty("reason");
      if (reason.length() > REASON_CHARS_MAX) {
        throw new BadParameterException(
            "reason: %d characters, at most %d".formatted(reason.length(), REASON_CHARS_MAX));
      }
      return reason;
    }
  }
}
