package hourglass.query.encode;

import static hourglass.query.encode.EventText.ascii;
import static hourglass.query.encode.EventText.put;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.Json;
import hourglass.query.AnswerFacts;
import hourglass.query.filter.TextSearch;
import hourglass.store.Columns;
import java.io.IOException;

/**
 * Encodes events as an array of CloudEvents. A payload that is a CloudEvent is copied as stored;
 * any other becomes the {@code data} of a new one, whose {@code source} is the address of its type.
 */
final class CloudEventEncoder implements EventEncoder {
  private static final byte[] ID = ascii("{\"specversion\":\"1.0\",\"id\":\"");
  private static final byte[] DATA = ascii("\",\"datacontenttype\":\"application/json\",\"data\":");
  private static final int FIXED_BYTES =
      ID.length + TimeUuid.TEXT_BYTES + Ticks.TEXT_BYTES + DATA.length + 2;

  /** The cheap test before parsing. An escape may hide the name. */
  private static final TextSearch SPECVERSION = new TextSearch("\"specversion\"");

  private static final TextSearch ESCAPE = new TextSearch("\\u");

  private static final int REQUIRED = 0b1111;

  private final TimeWriter times = new TimeWriter();
  private boolean first = true;

  /**
   * Whether the payload is a CloudEvent. {@link #bytesMax} sets it, so that an event is parsed
   * once.
   */
  private boolean isOne;

  @Override
  public byte[] begin() {
    return ascii("[");
  }

  @Override
  public int bytesMax(RowText row, Columns columns, int i) {
    isOne = isOne(columns, i);
    return columns.length(i) + (isOne ? 1 : FIXED_BYTES + row.cloudEvent().length);
  }

  @Override
  public int write(RowText row, Columns columns, int i, byte[] out, int start) {
    int at = start;
    if (!first) {
      out[at++] = ',';
    }
    first = false;
    return isOne ? payload(columns, i, out, at) : around(row, columns, i, out, at);
  }

  private int around(RowText row, Columns columns, int i, byte[] out, int start) {
    long ticks = columns.ticks(i);
    int at = put(ID, out, start);
    at = TimeUuid.write(ticks, columns.lsb(i), out, at);
    at = put(row.cloudEvent(), out, at);
    at = times.write(ticks, out, at);
    at = put(DATA, out, at);
    at = payload(columns, i, out, at);
    out[at] = '}';
    return at + 1;
  }

  private static int payload(Columns columns, int i, byte[] out, int at) {
    System.arraycopy(columns.bytes(), columns.offset(i), out, at, columns.length(i));
    return at + columns.length(i);
  }

  @Override
  public byte[] end(AnswerFacts facts) {
    return ascii("]");
  }

  /**
   * Whether a payload is a CloudEvent 1.0: an object with {@code specversion} "1.0", and {@code
   * id}, {@code source} and {@code type} as strings that are not empty.
   */
  private static boolean isOne(Columns columns, int i) {
    return (SPECVERSION.isIn(columns, i) || ESCAPE.isIn(columns, i))
        && isOne(columns.bytes(), columns.offset(i), columns.length(i));
  }

  private static boolean isOne(byte[] bytes, int from, int length) {
    try (JsonParser json = Json.parser(bytes, from, length)) {
      int found = 0;
      if (json.nextToken() == JsonToken.START_OBJECT) {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
          found |= required(json);
          json.skipChildren();
        }
      }
      return found == REQUIRED;
    } catch (IOException e) {
      return false; // every stored payload is JSON
    }
  }

  /** Returns the bit of a required field, or 0 if its value is not valid. Advances to the value. */
  private static int required(JsonParser json) throws IOException {
    String name = json.currentName();
    boolean isText = json.nextToken() == JsonToken.VALUE_STRING && json.getTextLength() > 0;
    return switch (name) {
      case "specversion" -> isText && json.getText().equals("1.0") ? 1 : 0;
      case "id" -> isText ? 2 : 0;
      case "source" -> isText ? 4 : 0;
      case "type" -> isText ? 8 : 0;
      default -> 0;
    };
  }
}
