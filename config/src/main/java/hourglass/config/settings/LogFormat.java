package hourglass.config.settings;

/** The format of the log. */
public enum LogFormat {
  /** A line for people to read. */
  TEXT,
  /** A JSON object a line. */
  JSON
}
