package hourglass.ingest.decode;

/** The format of a body. */
public enum BodyFormat {
  /** One object, or an array of objects. */
  JSON,
  /** One object a line. */
  NDJSON,
  /** One CloudEvent in JSON, or an array of them. */
  CLOUDEVENTS
}
