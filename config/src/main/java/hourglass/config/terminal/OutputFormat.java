package hourglass.config.terminal;

import org.jspecify.annotations.Nullable;

/** How events are printed, by the names of the option. */
enum OutputFormat {
  text,
  ndjson,
  raw,
  json,
  csv;

  /** The description of an option without json and csv, which have a beginning and an end. */
  static final String OF_EVENTS =
      "text, ndjson or raw. Default: text on a terminal, a line for each event; else ndjson.";

  static OutputFormat orDefault(@Nullable OutputFormat given, Terminal terminal) {
    return given != null ? given : terminal.isInteractive() ? text : ndjson;
  }

  /** The format that the server is asked for. */
  String ofServer() {
    return this == text ? ndjson.name() : name();
  }

  boolean isOfSingleEvents() {
    return this != json && this != csv;
  }
}
