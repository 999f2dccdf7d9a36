package hourglass.load.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads {@code {"accepted":997,"rejected":3,"errors":[{"index":12,"reason":"..."}]}}. */
final class VerdictReader {
  private static final JsonFactory JSON = new JsonFactory();

  private int accepted = -1;
  private int rejected = -1;
  private int untimed;
  private int[] indexes = new int[0];
  private String firstReason = "";

  private VerdictReader() {}

  /** The verdict; null when the text is not one. */
  static PushAnswer.@Nullable Verdict read(byte[] body) {
    VerdictReader reader = new VerdictReader();
    try (JsonParser parser = JSON.createParser(body)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        reader.object(parser);
      }
    } catch (IOException notJson) {
      return null;
    }
    return reader.verdict();
  }

  private PushAnswer.@Nullable Verdict verdict() {
    if (accepted < 0 || rejected < 0) {
      return null;
    }
    Arrays.sort(indexes);
    return new PushAnswer.Verdict(accepted, rejected, untimed, indexes, firstReason);
  }

  private void object(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "accepted" -> accepted = parser.getIntValue();
        case "rejected" -> rejected = parser.getIntValue();
        case "untimed" -> untimed = parser.getIntValue();
        case "errors" -> errors(parser);
        default -> parser.skipChildren();
      }
    }
  }

  private void errors(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      error(parser);
    }
  }

  private void error(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.equals("index")) {
        indexes = Arrays.copyOf(indexes, indexes.length + 1);
        indexes[indexes.length - 1] = parser.getIntValue();
      } else if (name.equals("reason") && firstReason.isEmpty()) {
        firstReason = parser.getText();
      } else {
        parser.skipChildren();
      }
    }
  }
}
