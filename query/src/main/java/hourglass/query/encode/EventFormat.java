package hourglass.query.encode;

import java.util.function.BooleanSupplier;

/** The format of an answer's body. */
public enum EventFormat {
  /** The body is one object, with the facts of the answer at its end. */
  JSON("application/json", "json"),
  NDJSON("application/x-ndjson", "ndjson"),
  /** Each event is a line, by RFC 4180. */
  CSV("text/csv; charset=utf-8; header=present", "csv"),
  /** Each payload is a line, as stored, except for line breaks. */
  RAW("application/x-ndjson", "ndjson"),
  CLOUDEVENTS("application/cloudevents-batch+json", "json");

  private final String contentType;
  private final String extension;

  EventFormat(String contentType, String extension) {
    this.contentType = contentType;
    this.extension = extension;
  }

  public String contentType() {
    return contentType;
  }

  /** The extension of a file's name, without a dot. */
  public String extension() {
    return extension;
  }

  public EventEncoder encoder(CsvTable table, BooleanSupplier gone) {
    return switch (this) {
      case JSON -> new JsonEncoder();
      case NDJSON -> new LineEncoder(false);
      case CSV -> new CsvEncoder(table, gone);
      case RAW -> new LineEncoder(true);
      case CLOUDEVENTS -> new CloudEventEncoder();
    };
  }
}
