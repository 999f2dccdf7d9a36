package hourglass.load.verify;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.Mapping;
import hourglass.load.event.StoredEvent;
import hourglass.load.event.StoredEvent.Mark;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pages through a query by cursor. For one walk. */
final class PageWalk {
  private static final JsonFactory JSON = new JsonFactory();

  private final TargetClient client;
  private final Mapping.Extractor payload;
  private final List<Mark> marks = new ArrayList<>();
  private @Nullable String cursor;
  private @Nullable String incomplete;

  PageWalk(TargetClient client, Mapping mapping) {
    this.client = client;
    this.payload = mapping.extractor();
  }

  /**
   * Walks until there is no cursor, or {@code pages} were read.
   *
   * @param query path and query without limit, format and cursor
   */
  List<Mark> walk(String query, int pages, int limit) {
    for (int page = 0; page < pages && (page == 0 || cursor != null); page++) {
      String from =
          cursor == null ? "" : "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
      page(client.text(query + "&format=json&limit=" + limit + from));
    }
    return marks;
  }

  boolean ended() {
    return cursor == null;
  }

  /** A page that did not call itself complete, or null. */
  @Nullable String incomplete() {
    return incomplete;
  }

  private void page(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    cursor = null;
    try (JsonParser parser = JSON.createParser(bytes)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (name) {
          case "events" -> {
            while (parser.nextToken() == JsonToken.START_OBJECT) {
              marks.add(StoredEvent.readObject(parser, bytes, 0, payload).mark());
            }
          }
          case "cursor" -> cursor = value == JsonToken.VALUE_NULL ? null : parser.getText();
          case "complete" -> {
            if (value != JsonToken.VALUE_TRUE) {
              incomplete = "page with %,d events so far is not complete".formatted(marks.size());
            }
          }
          default -> parser.skipChildren();
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw new LoadFailure("a page that is not as documented: " + e.getMessage(), e);
    }
  }
}
