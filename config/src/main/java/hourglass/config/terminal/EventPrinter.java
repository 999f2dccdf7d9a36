package hourglass.config.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Prints single events, which it gets as they are in NDJSON. */
final class EventPrinter {
  private final OutputFormat format;
  private final Colours colours;
  private final EventLine line;
  private final Writer out;

  EventPrinter(OutputFormat format, Terminal terminal) {
    this.format = format;
    this.colours = terminal.colours();
    this.line = new EventLine(colours);
    this.out = new BufferedWriter(new OutputStreamWriter(terminal.out(), StandardCharsets.UTF_8));
  }

  void print(String event, boolean isLate) throws IOException {
    String text =
        switch (format) {
          case text -> line.of(event) + (isLate ? colours.note(" (late)") : "");
          case raw -> payload(event);
          default -> event;
        };
    out.write(text + '\n');
  }

  void flush() throws IOException {
    out.flush();
  }

  /** Byte for byte: the last member of an event. */
  private static String payload(String event) throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(event)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isPayload = parser.currentName().equals("data");
        parser.nextToken();
        if (isPayload) {
          int from = (int) parser.currentTokenLocation().getCharOffset();
          parser.skipChildren();
          return event.substring(from, event.lastIndexOf('}'));
        }
      }
    } catch (JsonProcessingException e) {
      throw new BrokenAnswerException("the answer has a broken event: " + e.getOriginalMessage());
    }
    throw new BrokenAnswerException("the answer has an event without data");
  }
}
