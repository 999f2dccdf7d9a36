package hourglass.config.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.InputStream;

/** Parsers for answers. A server stores numbers, names and texts of any length up to an event's. */
final class AnswerJson {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private AnswerJson() {}

  static JsonParser parser(String json) throws IOException {
    return FACTORY.createParser(json);
  }

  static JsonParser parser(byte[] json) throws IOException {
    return FACTORY.createParser(json);
  }

  static JsonParser parser(InputStream json) throws IOException {
    return FACTORY.createParser(json);
  }
}
