package hourglass.ingest.decode;

/** The format of a body. */
public enum BodyFormat {
  /** One object, or an array of objects. */
  JSON(false, false),
  /** One object a line. */
  NDJSON(true, false),
  /** One CloudEvent in JSON, or an array of them. */
  CLOUDEVENTS(false, true);

  private final boolean lines;
  private final boolean cloudEvents;

  BodyFormat(boolean lines, boolean cloudEvents) {
    this.lines = lines;
    this.cloudEvents = cloudEvents;
  }

  boolean isLines() {
    return lines;
  }

  boolean isCloudEvents() {
    return cloudEvents;
  }
}
