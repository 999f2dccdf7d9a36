package hourglass.config.terminal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import hourglass.bytes.Rfc3339;
import hourglass.command.SafeText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Formats one event as a line for people to read. Members of objects become fields with a path. If
 * the payload repeats the type or the time, it is left out. Not thread-safe.
 *
 * <pre>
 * 2026-11-20T08:00:00.331Z checkout amount=42 user.name="Ada L." items=[1,2]
 * </pre>
 */
final class EventLine {
  private static final int MILLIS_END = "2026-11-20T08:00:00.331".length();

  private final Rfc3339 times = new Rfc3339(0);
  private final Colours colours;

  EventLine(Colours colours) {
    this.colours = colours;
  }

  /** Formats an event that is given as a line of NDJSON. */
  String of(String event) throws IOException {
    try (JsonParser parser = Json.parser(event)) {
      StringBuilder fields = new StringBuilder();
      String time = "";
      String type = "";
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (name) {
          case "time" -> time = parser.getText();
          case "type" -> type = parser.getText();
          case "data" -> fields(parser, value, time, type, fields);
          default -> parser.skipChildren();
        }
      }
      return colours.time(shortened(time)) + " " + colours.type(SafeText.word(type)) + fields;
    } catch (JsonProcessingException e) {
      throw new BrokenAnswerException("the answer has a broken event: " + e.getOriginalMessage());
    }
  }

  private static String shortened(String time) {
    return SafeText.word(time.length() > MILLIS_END ? time.substring(0, MILLIS_END) + "Z" : time);
  }

  private void fields(
      JsonParser parser, JsonToken value, String time, String type, StringBuilder to)
      throws IOException {
    if (value != JsonToken.START_OBJECT) {
      field("data", parser, to);
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken member = parser.nextToken();
      boolean isKnown =
          member == JsonToken.VALUE_STRING
              && (name.equals("type") && parser.getText().equals(type)
                  || name.equals("time") && isSame(parser.getText(), time));
      if (!isKnown) {
        field(name, parser, to);
      }
    }
  }

  private boolean isSame(String text, String time) {
    long ticks = ticks(text);
    return ticks != Rfc3339.NOT_A_TIME && ticks == ticks(time);
  }

  private long ticks(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return times.parse(bytes, 0, bytes.length);
  }

  private void field(String name, JsonParser parser, StringBuilder to) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      JsonToken member = parser.nextToken();
      if (member == JsonToken.END_OBJECT) {
        to.append(' ').append(colours.field(SafeText.word(name))).append("={}");
      }
      for (; member == JsonToken.FIELD_NAME; member = parser.nextToken()) {
        String path = name + "." + parser.currentName();
        parser.nextToken();
        field(path, parser, to);
      }
      return;
    }
    to.append(' ').append(colours.field(SafeText.word(name))).append('=');
    if (token == JsonToken.START_ARRAY) {
      compact(parser, to);
    } else {
      to.append(scalar(parser, false));
    }
  }

  /** Writes the current value as JSON without blanks. */
  private static void compact(JsonParser parser, StringBuilder to) throws IOException {
    JsonToken token = parser.currentToken();
    if (!token.isStructStart()) {
      to.append(scalar(parser, true));
      return;
    }
    boolean isObject = token == JsonToken.START_OBJECT;
    to.append(isObject ? '{' : '[');
    String comma = "";
    while (!parser.nextToken().isStructEnd()) {
      to.append(comma);
      if (isObject) {
        to.append(SafeText.quoted(parser.currentName())).append(':');
        parser.nextToken();
      }
      compact(parser, to);
      comma = ",";
    }
    to.append(isObject ? '}' : ']');
  }

  private static String scalar(JsonParser parser, boolean quoted) throws IOException {
    String text = parser.getText();
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      return text;
    }
    return quoted ? SafeText.quoted(text) : SafeText.word(text);
  }
}
