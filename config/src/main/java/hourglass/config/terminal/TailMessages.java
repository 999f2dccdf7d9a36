package hourglass.config.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads the messages of a tail, which are server-sent events. */
final class TailMessages {
  /**
   * A message with data.
   *
   * @param kind empty for an event in order
   */
  record Message(String kind, String data) {}

  private final BufferedReader in;
  private @Nullable String position;
  private int retryMillis = -1;

  TailMessages(InputStream in) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** Waits for a message. Returns null at the end; an incomplete message does not count. */
  @Nullable Message next() throws IOException {
    String kind = "";
    StringBuilder data = new StringBuilder();
    String id = null;
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.isEmpty()) {
        position = id == null ? position : id;
        if (!data.isEmpty()) {
          return new Message(kind, data.toString());
        }
        kind = "";
        continue;
      }
      int colon = line.indexOf(':');
      String name = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      switch (name) {
        case "id" -> id = value;
        case "event" -> kind = value;
        case "data" -> data.append(data.isEmpty() ? "" : "\n").append(value);
        case "retry" -> retryMillis = millis(value);
        default -> {} // a comment
      }
    }
    return null;
  }

  private static int millis(String text) {
    return text.matches("[0-9]{1,8}") ? Integer.parseInt(text) : -1;
  }

  /** Returns whether another message has begun to arrive. */
  boolean isReady() throws IOException {
    return in.ready();
  }

  /**
   * Returns the id of the last message, even if that had no data, or null if no message had an id.
   */
  @Nullable String position() {
    return position;
  }

  /**
   * Returns the milliseconds to wait before reconnecting, or -1 if the server did not specify them.
   */
  int retryMillis() {
    return retryMillis;
  }
}
