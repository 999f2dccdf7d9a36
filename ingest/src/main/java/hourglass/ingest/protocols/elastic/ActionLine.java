package hourglass.ingest.protocols.elastic;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines before documents, such as {@code {"create":{"_index":"logs","_id":"7"}}}. Other
 * keys besides the action are passed over, since some clients keep their own there. Not
 * thread-safe.
 */
final class ActionLine {
  private static final Set<String> ACTIONS = Set.of("index", "create", "update", "delete");

  private final @Nullable String indexOfPath;

  /** The last line that was read. Most lines equal the one before. */
  private byte[] last = {};

  private @Nullable Target target;
  private @Nullable String id;

  /** Creates a reader for a request whose path may name the index, for lines that name none. */
  ActionLine(@Nullable String indexOfPath) {
    this.indexOfPath = indexOfPath;
  }

  /** Reads a line. Returns null if it is no action. */
  @Nullable Target read(byte[] b, int from, int to) {
    if (!Arrays.equals(last, 0, last.length, b, from, to)) {
      parse(b, from, to);
      last = Arrays.copyOfRange(b, from, to);
    }
    return target;
  }

  /** Returns the id of the last line's document; null if it has none. */
  @Nullable String id() {
    return id;
  }

  private void parse(byte[] b, int from, int to) {
    Target before = target;
    target = null;
    id = null;
    try (JsonParser json = Json.parser(b, from, to - from)) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        Target found = action(json, before);
        target = json.nextToken() == null ? found : null;
      }
    } catch (IOException e) {
      target = null; // not JSON, so no action
    }
  }

  private @Nullable Target action(JsonParser json, @Nullable Target before) throws IOException {
    Target found = null;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      boolean isObject = json.nextToken() == JsonToken.START_OBJECT;
      if (isObject && found == null && ACTIONS.contains(name)) {
        found = target(name, index(json), before);
      } else {
        json.skipChildren();
      }
    }
    return found;
  }

  private static Target target(String action, @Nullable String index, @Nullable Target before) {
    if (before != null && before.action().equals(action) && before.index().equals(index)) {
      return before;
    }
    return Target.of(action, index);
  }

  /** Reads the index and the id of an action to its end. */
  private @Nullable String index(JsonParser json) throws IOException {
    String index = indexOfPath;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      boolean isText = value.isScalarValue() && value != JsonToken.VALUE_NULL;
      if (isText && name.equals("_index")) {
        index = json.getText();
      } else if (isText && name.equals("_id")) {
        id = json.getText();
      } else {
        json.skipChildren();
      }
    }
    return index;
  }
}
