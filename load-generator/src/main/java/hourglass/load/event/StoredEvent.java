package hourglass.load.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bucketing.TimeUuid;
import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * One event as the target gives it back: {@code {"id":..,"time":..,"type":..,"data":{..}}}.
 *
 * @param timeText the {@code time} field
 * @param identity the id that the payload carries by the mapping; empty: none
 * @param data the payload, trimmed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared whole
public record StoredEvent(TimeUuid id, String timeText, String type, String identity, byte[] data) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * Reads one line of NDJSON.
   *
   * @throws LoadFailure when it is not such a line
   */
  public static StoredEvent read(byte[] bytes, int from, int to, Mapping.Extractor payload) {
    try (JsonParser parser = JSON.createParser(bytes, from, to - from)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw bad(bytes, from, to, "not an object");
      }
      return readObject(parser, bytes, from, payload);
    } catch (IOException | IllegalArgumentException e) {
      throw bad(bytes, from, to, String.valueOf(e.getMessage()));
    }
  }

  /** Reads the object whose start is the parser's token, inside of an array of events too. */
  public static StoredEvent readObject(
      JsonParser parser, byte[] bytes, int base, Mapping.Extractor payload) throws IOException {
    String id = "";
    String time = "";
    String type = "";
    byte[] data = null;
    String identity = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "id" -> id = parser.getText();
        case "time" -> time = parser.getText();
        case "type" -> type = parser.getText();
        case "data" -> {
          int start = base + (int) parser.currentTokenLocation().getByteOffset();
          identity = identity(parser, payload);
          int end = base + (int) parser.currentLocation().getByteOffset();
          data = java.util.Arrays.copyOfRange(bytes, start, end);
        }
        default -> parser.skipChildren();
      }
    }
    if (data == null || type.isEmpty()) {
      throw new IllegalArgumentException("type or data is missing");
    }
    return new StoredEvent(TimeUuid.parse(id), time, type, identity, data);
  }

  private static String identity(JsonParser parser, Mapping.Extractor payload) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return "";
    }
    payload.read(parser);
    return payload.id();
  }

  private static LoadFailure bad(byte[] bytes, int from, int to, String why) {
    String line = new String(bytes, from, Math.min(to - from, 300), StandardCharsets.UTF_8);
    return new LoadFailure(
        "the target's answer holds a line that is no event (" + why + "): " + line);
  }
}
