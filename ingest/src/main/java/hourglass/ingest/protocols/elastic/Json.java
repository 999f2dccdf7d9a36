package hourglass.ingest.protocols.elastic;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Text as JSON. */
final class Json {
  private Json() {}

  /** In quotes. */
  static String text(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
