package hourglass.query.http;

import hourglass.query.AnswerFacts;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** What an answer says of itself in headers, or in trailers where they are known too late. */
final class FactHeaders {
  /** The names, as the Trailer header declares them. */
  static final String NAMES =
      "Hourglass-Rows-Asked, Hourglass-Rows-Answered, Hourglass-Complete, Hourglass-Cursor, Link";

  private FactHeaders() {}

  static void put(AnswerFacts facts, HttpServerRequest request, MultiMap to) {
    to.set("Hourglass-Rows-Asked", Long.toString(facts.rowsAsked()));
    to.set("Hourglass-Rows-Answered", Long.toString(facts.rowsAnswered()));
    to.set("Hourglass-Complete", Boolean.toString(facts.isComplete()));
    String cursor = facts.cursor();
    if (cursor != null) {
      to.set("Hourglass-Cursor", cursor);
      to.set("Link", "<" + next(request, cursor) + ">; rel=\"next\"");
    }
  }

  /** The address of the request with another cursor. */
  private static String next(HttpServerRequest request, String cursor) {
    String query = request.query() == null ? "" : request.query();
    String rest =
        Arrays.stream(query.split("&"))
            .filter(parameter -> !parameter.isEmpty() && !isCursor(parameter))
            .map(parameter -> parameter + "&")
            .collect(Collectors.joining());
    // What a client sent unescaped must not end the address early.
    return request.path() + "?" + rest.replace("<", "%3C").replace(">", "%3E") + "cursor=" + cursor;
  }

  private static boolean isCursor(String parameter) {
    String name = parameter.split("=", 2)[0];
    return URLDecoder.decode(name, StandardCharsets.UTF_8).equals("cursor");
  }
}
