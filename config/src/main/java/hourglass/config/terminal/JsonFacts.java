package hourglass.config.terminal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The facts at the end of a page of events in JSON, which are read while the page is copied.
 *
 * @param hasNext whether the page has a cursor
 */
record JsonFacts(boolean isComplete, boolean hasNext) {
  /** Copies the page to its end and reads its facts. Fails if the page is not complete JSON. */
  static JsonFacts copy(InputStream page, OutputStream out) throws IOException {
    boolean isComplete = false;
    boolean hasNext = false;
    InputStream copied = new Copied(page, out);
    try (JsonParser parser = Json.parser(copied)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (name) {
          case "complete" -> isComplete = value == JsonToken.VALUE_TRUE;
          case "cursor" -> hasNext = value == JsonToken.VALUE_STRING;
          default -> parser.skipChildren();
        }
      }
      copied.transferTo(OutputStream.nullOutputStream());
      return new JsonFacts(isComplete, hasNext);
    } catch (JsonProcessingException e) {
      throw new BrokenAnswerException("the answer is broken JSON: " + e.getOriginalMessage());
    }
  }

  private static final class Copied extends FilterInputStream {
    private final OutputStream out;

    Copied(InputStream in, OutputStream out) {
      super(in);
      this.out = out;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int count = super.read(to, from, length);
      if (count > 0) {
        out.write(to, from, count);
      }
      return count;
    }
  }
}
