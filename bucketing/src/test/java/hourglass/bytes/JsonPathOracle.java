package hourglass.bytes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An oracle of {@link JsonPath}, by a general parser. */
final class JsonPathOracle {
  private static final JsonFactory JSON = new JsonFactory();

  /** Deeper levels share one rank; the last match wins there. */
  private static final int RANKED_LEVELS = 7;

  /** A path, or its rest inside an object. */
  private record Search(int path, String rest, long rank) {}

  private final List<Search> searches = new ArrayList<>();
  private final @Nullable String[] values;
  private final long[] ranks;
  private byte[] bytes = new byte[0];
  private int start;

  JsonPathOracle(List<String> paths) {
    for (int i = 0; i < paths.size(); i++) {
      searches.add(new Search(i, paths.get(i), 0));
    }
    values = new @Nullable String[paths.size()];
    ranks = new long[paths.size()];
  }

  /** Strings without quotes, everything else as it stands. Valid until the next call. */
  @Nullable String[] read(byte[] payload, int from, int length) {
    Arrays.fill(values, null);
    Arrays.fill(ranks, 0);
    bytes = payload;
    start = from;
    try (JsonParser parser = JSON.createParser(payload, from, length)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        object(parser, searches, 0);
      }
    } catch (IOException e) {
      // A payload that is no JSON has no fields.
    }
    return values;
  }

  private void object(JsonParser parser, List<Search> wanted, int level) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = parser.currentName();
      JsonToken token = parser.nextToken();
      List<Search> inside = new ArrayList<>(0);
      List<Search> found = new ArrayList<>(0);
      for (Search search : wanted) {
        if (search.rest.equals(key)) {
          found.add(search);
        } else if (token == JsonToken.START_OBJECT && leadsInto(search.rest, key)) {
          inside.add(
              new Search(
                  search.path, search.rest.substring(key.length() + 1), rank(search, key, level)));
        }
      }
      long begin = parser.currentTokenLocation().getByteOffset();
      if (inside.isEmpty()) {
        parser.skipChildren();
      } else {
        object(parser, inside, level + 1);
      }
      for (Search search : found) {
        keep(search, rank(search, key, level), parser, token, begin);
      }
    }
  }

  private static boolean leadsInto(String path, String key) {
    return path.length() > key.length() && path.charAt(key.length()) == '.' && path.startsWith(key);
  }

  private static long rank(Search search, String key, int level) {
    int shift = 8 * (RANKED_LEVELS - 1 - Math.min(level, RANKED_LEVELS - 1));
    return search.rank | (long) Math.min(255, key.length() + 1) << shift;
  }

  private void keep(Search search, long rank, JsonParser parser, JsonToken token, long begin)
      throws IOException {
    if (rank >= ranks[search.path]) {
      ranks[search.path] = rank;
      values[search.path] = text(parser, token, begin);
    }
  }

  private @Nullable String text(JsonParser parser, JsonToken token, long begin) throws IOException {
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (token != JsonToken.START_OBJECT && token != JsonToken.START_ARRAY) {
      return parser.getText();
    }
    long end = parser.currentLocation().getByteOffset();
    return new String(bytes, start + (int) begin, (int) (end - begin), StandardCharsets.UTF_8);
  }
}
