package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.load.client.TargetClient;
import hourglass.load.send.MessageShape;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The questions of the benchmark about words of messages. */
final class MessageQuestions {
  private static final Pattern REQUEST = Pattern.compile("\"request\":\"([0-9a-f]+)\"");

  private MessageQuestions() {}

  /** Returns the questions over all hours. */
  static List<BenchQuery> of(TargetClient client, Hour first, Hour last, long events) {
    String range = "from=%s&to=%s".formatted(first.start(), last.end());
    String lines = "events?" + range + "&limit=all&format=ndjson";
    String rare = MessageShape.RARE;
    String phrase = encoded(MessageShape.PHRASE);
    Map<String, String> paths = new LinkedHashMap<>();
    paths.put("a rare word", lines + "&word=" + rare);
    paths.put("a rare text", lines + "&contains=" + rare);
    paths.put("a rare text, ignoring case", lines + "&icase=true&contains=" + rare);
    paths.put("an absent word", lines + "&word=" + MessageShape.ABSENT);
    paths.put("an absent text", lines + "&contains=" + MessageShape.ABSENT);
    Matcher request =
        REQUEST.matcher(client.text("/api/v1/events?hour=" + last + "&limit=1&format=ndjson"));
    if (request.find()) {
      String id = request.group(1);
      paths.put("a request id, as a text", lines + "&contains=" + id);
      paths.put("a request id, as a word", lines + "&word=" + id);
      String where = encoded("data.request == \"" + id + "\"");
      paths.put("a request id, as the field's value", lines + "&where=" + where);
    }
    String error = encoded("data.level == \"error\"");
    paths.put("an error with a rare word", lines + "&word=" + rare + "&where=" + error);
    paths.put(
        "connection refused: newest 100",
        "events?" + range + "&order=desc&limit=100&format=ndjson&word=" + phrase);
    paths.put(
        "connection refused: by hour and type",
        "hits?" + range + "&step=1h&by=type&word=" + phrase);
    return paths.entrySet().stream()
        .map(path -> BenchQuery.unchecked(path.getKey(), path.getValue(), events))
        .toList();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
