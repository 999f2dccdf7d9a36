package hourglass.load.verify;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.command.FigureText;
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

/** Reads some pages of a query by cursor. */
final class PageWalk {
  private final Mapping.Extractor payload;
  final List<Mark> marks = new ArrayList<>();

  /** The cursor of the next page; null after the last. */
  @Nullable String cursor;

  /** A description of a page that did not declare itself complete, or null. */
  @Nullable String incomplete;

  private PageWalk(Mapping mapping) {
    payload = mapping.extractor();
  }

  /**
   * Reads pages until there is no cursor.
   *
   * @param query path and query without limit, format and cursor
   * @param pages the most pages to read
   */
  static PageWalk read(TargetClient client, Mapping mapping, String query, int pages, int limit) {
    PageWalk walk = new PageWalk(mapping);
    for (int page = 0; page < pages && (page == 0 || walk.cursor != null); page++) {
      String from =
          walk.cursor == null
              ? ""
              : "&cursor=" + URLEncoder.encode(walk.cursor, StandardCharsets.UTF_8);
      walk.page(client.text(query + "&format=json&limit=" + limit + from));
    }
    return walk;
  }

  private void page(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    cursor = null;
    try (JsonParser parser = StoredEvent.JSON.createParser(bytes)) {
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
              incomplete =
                  FigureText.format("page with %,d events so far is not complete", marks.size());
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
