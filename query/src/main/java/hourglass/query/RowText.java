package hourglass.query;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The event type of a row in each spelling that answers need, made once a row instead of once an
 * event.
 */
final class RowText {
  private final String type;
  private final byte[] json;
  private final byte[] csv;

  RowText(String type) {
    this.type = type;
    byte[] quoted = JsonStringEncoder.getInstance().quoteAsUTF8(type);
    json =
        ("\",\"type\":\"" + new String(quoted, StandardCharsets.UTF_8) + "\",\"data\":")
            .getBytes(StandardCharsets.UTF_8);
    csv = CsvText.field(type).getBytes(StandardCharsets.UTF_8);
  }

  String type() {
    return type;
  }

  /** From the end of an event's time to the beginning of its data: {@code ","type":"t","data":}. */
  byte[] json() {
    return json;
  }

  /** As a field of a csv line. */
  byte[] csv() {
    return csv;
  }
}
