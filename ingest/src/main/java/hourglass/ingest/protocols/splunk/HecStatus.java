package hourglass.ingest.protocols.splunk;

/**
 * The statuses of answers, in the words and numbers of Splunk's HTTP Event Collector. Source:
 * "Possible error codes" in Splunk's manual.
 */
enum HecStatus {
  SUCCESS(200, "Success", 0),
  NO_TOKEN(401, "Token is required", 2),
  INVALID_TOKEN(403, "Invalid token", 4),
  NO_DATA(400, "No data", 5),
  INVALID_DATA(400, "Invalid data format", 6),
  INTERNAL(500, "Internal server error", 8),
  BUSY(503, "Server is busy", 9),
  NO_EVENT(400, "Event field is required", 12),
  BLANK_EVENT(400, "Event field cannot be blank", 13),
  NO_ACKS(400, "ACK is disabled", 14),
  HEALTHY(200, "HEC is healthy", 17);

  private final int http;
  private final String text;
  private final int code;

  HecStatus(int http, String text, int code) {
    this.http = http;
    this.text = text;
    this.code = code;
  }

  /** Returns the HTTP status. */
  int http() {
    return http;
  }

  String text() {
    return text;
  }

  int code() {
    return code;
  }
}
