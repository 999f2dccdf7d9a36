package hourglass.config.terminal;

import org.jspecify.annotations.Nullable;

/** The forms in which events are printed, with the names that the option accepts. */
enum OutputFormat {
  text,
  ndjson,
  raw,
  json,
  csv;

  /** The description of an option that excludes json and csv, which have a beginning and an end. */
  static final String OF_EVENTS =
      "text, ndjson or raw. Default: text on a terminal, a line for each event; else ndjson.";

  static OutputFormat orDefault(@Nullable OutputFormat given, Terminal terminal) {
    return given != null ? given : terminal.isInteractive() ? text : ndjson;
  }

  /** Returns the format to ask the server for. */
  String ofServer() {
    return this == text ? ndjson.name() : name();
  }

  boolean isOfSingleEvents() {
    return this != json && this != csv;
  }
}
