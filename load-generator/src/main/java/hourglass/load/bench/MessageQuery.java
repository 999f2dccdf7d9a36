package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.load.client.TargetClient;
import hourglass.load.command.Nanos;
import hourglass.load.send.MessageShape;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A question about messages, whose first answer counts as much as the later ones. */
record MessageQuery(String name, String path) {
  private static final int LATER = 3;
  private static final Pattern REQUEST = Pattern.compile("\"request\":\"([0-9a-f]+)\"");

  /**
   * The times from the request to the last byte.
   *
   * @param laterMillis the median of the answers after the first
   * @param bytes the length of one answer
   */
  record Timing(MessageQuery query, double firstMillis, double laterMillis, long bytes) {
    JsonObject figures() {
      return new JsonObject()
          .put("name", query.name)
          .put("path", query.path)
          .put("bytes", bytes)
          .put("first_ms", firstMillis)
          .put("later_ms", laterMillis);
    }
  }

  /** Returns the questions over all hours. */
  static List<MessageQuery> of(TargetClient client, Hour first, Hour last) {
    String range = "from=%s&to=%s".formatted(first.start(), last.end());
    String lines = "/api/v1/events?" + range + "&limit=all&format=ndjson";
    String rare = MessageShape.RARE;
    String phrase = encoded(MessageShape.PHRASE);
    List<MessageQuery> queries = new ArrayList<>();
    queries.add(new MessageQuery("a rare word", lines + "&word=" + rare));
    queries.add(new MessageQuery("a rare text", lines + "&contains=" + rare));
    queries.add(
        new MessageQuery("a rare text, ignoring case", lines + "&icase=true&contains=" + rare));
    queries.add(new MessageQuery("an absent word", lines + "&word=" + MessageShape.ABSENT));
    queries.add(new MessageQuery("an absent text", lines + "&contains=" + MessageShape.ABSENT));
    Matcher request =
        REQUEST.matcher(client.text("/api/v1/events?hour=" + last + "&limit=1&format=ndjson"));
    if (request.find()) {
      String id = request.group(1);
      queries.add(new MessageQuery("a request id, as a text", lines + "&contains=" + id));
      queries.add(new MessageQuery("a request id, as a word", lines + "&word=" + id));
      String where = encoded("data.request == \"" + id + "\"");
      queries.add(
          new MessageQuery("a request id, as the field's value", lines + "&where=" + where));
    }
    String error = encoded("data.level == \"error\"");
    queries.add(
        new MessageQuery("an error with a rare word", lines + "&word=" + rare + "&where=" + error));
    queries.add(
        new MessageQuery(
            "connection refused: newest 100",
            "/api/v1/events?" + range + "&order=desc&limit=100&format=ndjson&word=" + phrase));
    queries.add(
        new MessageQuery(
            "connection refused: by hour and type",
            "/api/v1/hits?" + range + "&step=1h&by=type&word=" + phrase));
    return queries;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Asks four times. */
  Timing time(TargetClient client, Nanos nanos) {
    double[] millis = new double[1 + LATER];
    long[] bytes = new long[1];
    for (int i = 0; i < millis.length; i++) {
      bytes[0] = 0;
      long start = nanos.now();
      client.stream(path, part -> bytes[0] += part.length());
      millis[i] = (nanos.now() - start) / 1e6;
    }
    Arrays.sort(millis, 1, millis.length);
    return new Timing(this, millis[0], millis[1 + LATER / 2], bytes[0]);
  }
}
