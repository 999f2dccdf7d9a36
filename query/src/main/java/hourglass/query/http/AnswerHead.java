package hourglass.query.http;

import hourglass.access.RequestId;
import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import hourglass.query.encode.EventFormat;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The headers of an answer. Its facts are in headers or trailers if {@code hasFacts}. */
public record AnswerHead(Map<String, String> headers, BodyCoding coding, boolean hasFacts) {

  static final String FACTS =
      "Hourglass-Rows-Asked, Hourglass-Rows-Answered, Hourglass-Rows-Missing, Hourglass-Missing, Hourglass-Dropped,"
          + " Hourglass-Complete, Hourglass-Cursor, Hourglass-Previous, Link";

  /**
   * The most bytes of a list of names in a header, since some clients accept no more than 8 KB of
   * headers.
   */
  private static final int MISSING_BYTES_MAX = 2_048;

  /** The head of a tail. A proxy that buffers answers would delay events. */
  static final AnswerHead TAIL =
      new AnswerHead(
          Map.of("Content-Type", "text/event-stream", "X-Accel-Buffering", "no"),
          BodyCoding.IDENTITY,
          false);

  /** Returns the head of a JSON object, which contains its facts itself. */
  public static AnswerHead ofJson(BodyCoding coding) {
    Map<String, String> headers =
        Map.of("Content-Type", "application/json", "Vary", "Accept-Encoding");
    return new AnswerHead(headers, coding, false);
  }

  static AnswerHead ofEvents(EventFormat format, BodyCoding coding, @Nullable String disposition) {
    Map<String, String> headers = new TreeMap<>();
    headers.put("Content-Type", format.contentType());
    headers.put("Vary", "Accept, Accept-Encoding");
    if (disposition != null) {
      headers.put("Content-Disposition", disposition);
    }
    return new AnswerHead(headers, coding, true);
  }

  HttpServerResponse put(HttpServerResponse response) {
    headers.forEach((name, value) -> response.putHeader(name, value));
    return response.putHeader("Cache-Control", "no-store");
  }

  /** Returns the request's id for logs; every answer has it in a header. */
  static @Nullable String requestId(RoutingContext ctx) {
    return ctx.response().headers().get(RequestId.HEADER);
  }

  /** Removes the headers of an answer, so that an error can replace it. */
  static void remove(MultiMap headers) {
    headers
        .remove("Trailer")
        .remove("Content-Encoding")
        .remove("Content-Disposition")
        .remove("Content-Length")
        .remove("Transfer-Encoding");
  }

  /**
   * Puts the facts of an answer into its headers, or into its trailers if they are known only at
   * the end.
   */
  static void putFacts(AnswerFacts facts, HttpServerRequest request, MultiMap to) {
    to.set("Hourglass-Rows-Asked", Long.toString(facts.rowsAsked()));
    to.set("Hourglass-Rows-Answered", Long.toString(facts.rowsAnswered()));
    List<RowKey> missing = facts.rowsMissing();
    if (missing != null && !missing.isEmpty()) {
      to.set("Hourglass-Rows-Missing", names(missing));
    }
    if (!facts.gaps().missing().isEmpty()) {
      to.set("Hourglass-Missing", names(facts.gaps().missing()));
    }
    if (!facts.gaps().dropped().isEmpty()) {
      to.set("Hourglass-Dropped", names(facts.gaps().dropped().names()));
    }
    to.set("Hourglass-Complete", Boolean.toString(facts.isComplete()));
    List<String> links = new ArrayList<>();
    String cursor = facts.cursor();
    if (cursor != null) {
      to.set("Hourglass-Cursor", cursor);
      links.add("<" + page(request, Set.of("cursor", "around"), cursor) + ">; rel=\"next\"");
    }
    String previous = facts.previous();
    if (previous != null) {
      to.set("Hourglass-Previous", previous);
      Set<String> replaced = Set.of("cursor", "around", "order");
      String order = "desc".equals(request.getParam("order")) ? "asc" : "desc";
      String address = page(request, replaced, previous) + "&order=" + order;
      links.add("<" + address + ">; rel=\"prev\"");
    }
    if (!links.isEmpty()) {
      to.set("Link", String.join(", ", links));
    }
  }

  /**
   * Joins names. The result ends with "..." if some do not fit; other headers state the number of
   * missing rows.
   */
  private static String names(List<?> named) {
    StringBuilder names = new StringBuilder();
    for (Object one : named) {
      String name = headerText(one.toString());
      if (names.length() + name.length() > MISSING_BYTES_MAX) {
        return names.append(names.length() == 0 ? "..." : ", ...").toString();
      }
      names.append(names.length() == 0 ? "" : ", ").append(name);
    }
    return names.toString();
  }

  /** Percent-encodes the bytes that a header, or a list in a header, cannot hold. */
  private static String headerText(String text) {
    StringBuilder out = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 0x7f && b != ',') {
        out.append((char) b);
      } else {
        out.append("%%%02X".formatted(b));
      }
    }
    return out.toString();
  }

  private static String page(HttpServerRequest request, Set<String> without, String cursor) {
    String query = request.query() == null ? "" : request.query();
    String rest =
        Arrays.stream(query.split("&"))
            .filter(parameter -> !parameter.isEmpty() && !without.contains(name(parameter)))
            .map(parameter -> parameter + "&")
            .collect(Collectors.joining());
    // A bracket that the client did not escape must not end the address early.
    return request.path() + "?" + rest.replace("<", "%3C").replace(">", "%3E") + "cursor=" + cursor;
  }

  private static String name(String parameter) {
    return URLDecoder.decode(parameter.split("=", 2)[0], StandardCharsets.UTF_8);
  }
}
