package hourglass.query.encode;

import hourglass.bytes.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The event type of a row, encoded once for all formats and events. */
public final class RowText {
  private final String type;
  private final byte[] json;
  private byte @Nullable [] csv;
  private byte @Nullable [] cloudEvent;

  public RowText(String type) {
    this.type = type;
    json = ("\",\"type\":" + Json.quoted(type) + ",\"data\":").getBytes(StandardCharsets.UTF_8);
  }

  public String type() {
    return type;
  }

  /** The text between an event's time and data: {@code ","type":"t","data":}. */
  byte[] json() {
    return json;
  }

  /**
   * The text between an id and a time: {@code
   * ","source":"/api/v1/events?type=t","type":"t","time":"}. The source includes the type, since an
   * id is unique only within one type.
   */
  byte[] cloudEvent() {
    if (cloudEvent == null) {
      String quoted = Json.escaped(type);
      String source = "/api/v1/events?type=" + URLEncoder.encode(type, StandardCharsets.UTF_8);
      String text = "\",\"source\":\"" + source + "\",\"type\":\"" + quoted + "\",\"time\":\"";
      cloudEvent = text.getBytes(StandardCharsets.UTF_8);
    }
    return cloudEvent;
  }

  /** Returns the type as a field of CSV; {@code safe} must be the same in each call. */
  byte[] csv(boolean safe) {
    if (csv == null) {
      csv = CsvText.field(type, safe);
    }
    return csv;
  }
}
