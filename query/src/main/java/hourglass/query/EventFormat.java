package hourglass.query;

import java.util.List;

/** The form of an answer's body. */
public enum EventFormat {
  /** One object with all events, what is known of the answer at its end. */
  JSON("application/json"),
  /** One event a line. */
  NDJSON("application/x-ndjson"),
  /** One event a line, by RFC 4180. */
  CSV("text/csv; charset=utf-8; header=present"),
  /** One payload a line, as it came. */
  RAW("application/x-ndjson");

  private final String contentType;

  EventFormat(String contentType) {
    this.contentType = contentType;
  }

  public String contentType() {
    return contentType;
  }

  /**
   * A fresh encoder, for one answer.
   *
   * @param fields the columns of csv
   */
  EventEncoder encoder(List<CsvField> fields) {
    return switch (this) {
      case JSON -> new JsonEncoder();
      case NDJSON -> new NdjsonEncoder();
      case CSV -> new CsvEncoder(fields);
      case RAW -> new RawEncoder();
    };
  }
}
