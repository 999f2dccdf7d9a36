package hourglass.load.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bucketing.TimeUuid;
import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One event of an answer: {@code {"id":..,"time":..,"type":..,"data":{..}}}.
 *
 * @param identity the payload's own id; empty if it has none
 * @param data the payload without white space around it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared whole
public record StoredEvent(TimeUuid id, String timeText, String type, String identity, byte[] data) {
  /**
   * The factory of parsers that report positions in bytes. Parsers that keep no table of names read
   * characters instead, and do not know these positions.
   */
  public static final JsonFactory JSON = new JsonFactory();

  /**
   * Reads one line of NDJSON.
   *
   * @throws LoadFailure if it is not such a line
   */
  public static StoredEvent read(byte[] bytes, int from, int to, Mapping.Extractor payload) {
    try (JsonParser parser = JSON.createParser(bytes, from, to - from)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("not an object");
      }
      return readObject(parser, bytes, from, payload);
    } catch (IOException | IllegalArgumentException e) {
      String line = new String(bytes, from, Math.min(to - from, 300), StandardCharsets.UTF_8);
      throw new LoadFailure(
          "the target's answer holds a line that is no event (%s): %s"
              .formatted(e.getMessage(), line));
    }
  }

  /**
   * Reads the object whose start is the parser's current token, which may be an element of an
   * array.
   */
  public static StoredEvent readObject(
      JsonParser parser, byte[] bytes, int base, Mapping.Extractor payload) throws IOException {
    String id = "";
    String time = "";
    String type = "";
    byte[] data = null;
    String identity = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "id" -> id = parser.getText();
        case "time" -> time = parser.getText();
        case "type" -> type = parser.getText();
        case "data" -> {
          int start = base + (int) parser.currentTokenLocation().getByteOffset();
          if (value == JsonToken.START_OBJECT) {
            payload.read(parser);
            identity = payload.id();
          } else {
            parser.skipChildren();
          }
          int end = base + (int) parser.currentLocation().getByteOffset();
          data = Arrays.copyOfRange(bytes, start, end);
        }
        default -> parser.skipChildren();
      }
    }
    if (data == null || type.isEmpty()) {
      throw new IllegalArgumentException("type or data is missing");
    }
    return new StoredEvent(TimeUuid.parse(id), time, type, identity, data);
  }

  /** Returns the beginning of the payload, for messages. */
  public String excerpt() {
    return new String(data, 0, Math.min(data.length, 200), StandardCharsets.UTF_8);
  }

  /** The parts of an event that are compared between answers. */
  public record Mark(TimeUuid id, String type, long payloadDigest) {
    /** Compares by id as Cassandra does, then by the bytes of the type. */
    public int compareOrder(Mark other) {
      int order = id.compareTo(other.id);
      return order != 0 || type.equals(other.type)
          ? order
          : Arrays.compareUnsigned(
              type.getBytes(StandardCharsets.UTF_8), other.type.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
      return id + " " + type;
    }
  }

  public Mark mark() {
    return new Mark(id, type, dataDigest());
  }

  public long dataDigest() {
    return EventKeys.digest(data, 0, data.length);
  }
}
