package hourglass.query.loki.http;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.access.Quota;
import hourglass.http.SmallBodies;
import hourglass.query.logql.LogQl;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads the forms of Loki's API: the parameters of a query in the body of a POST. Thread-safe.
 *
 * @param clients identifies the client of a request
 */
record LokiForms(SmallBodies bodies, Function<RoutingContext, Client> clients) {
  /**
   * The most characters of names and values besides a query: times, a step, a limit, and others
   * that clients send.
   */
  private static final int OTHERS_CHARS_MAX = 8_192;

  /**
   * The most characters of all names and values, which a query holds while it waits for its place.
   */
  static final int CHARS_MAX = LogQl.CHARS_MAX + OTHERS_CHARS_MAX;

  /** The most parameters that are read. About ten have a meaning. */
  private static final int PARAMETERS_MAX = 1_024;

  /** The most bytes of a character: three of UTF-8, each percent-encoded. */
  private static final int BYTES_OF_CHAR_MAX = 9;

  /** The most bytes of a form: a query in any script, besides other parameters in ASCII. */
  static final int BYTES_MAX = LogQl.CHARS_MAX * BYTES_OF_CHAR_MAX + OTHERS_CHARS_MAX;

  /**
   * Reads the form of a request within the limits of its client. Fails with an {@link
   * HttpException}, with {@link LimitExceededException}, or if the connection is lost.
   */
  Future<MultiMap> read(RoutingContext ctx) {
    Client client = clients.apply(ctx);
    Quota.Turn turn;
    try {
      turn = client.quota().query();
    } catch (LimitExceededException e) {
      return Future.failedFuture(e);
    }
    return bodies
        .read(ctx, client.share(), BYTES_MAX)
        .onComplete(read -> turn.close()) // the query takes its own
        .map(body -> parse(ctx.request().getHeader(HttpHeaders.CONTENT_TYPE), body));
  }

  /** Reads the parameters of a body. A body that is not a form contains none. */
  private static MultiMap parse(String contentType, Buffer body) {
    MultiMap form = MultiMap.caseInsensitiveMultiMap();
    if (contentType != null
        && !contentType.toLowerCase(Locale.ROOT).contains("x-www-form-urlencoded")) {
      return form;
    }
    Map<String, List<String>> parameters;
    try {
      // A semicolon is a part of the query that contains it.
      parameters =
          new QueryStringDecoder(
                  body.toString(), StandardCharsets.UTF_8, false, PARAMETERS_MAX, true)
              .parameters();
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, "the form is not encoded as one");
    }
    long chars = 0;
    for (Map.Entry<String, List<String>> parameter : parameters.entrySet()) {
      for (String value : parameter.getValue()) {
        chars += parameter.getKey().length() + value.length();
        form.add(parameter.getKey(), value);
      }
    }
    if (chars > CHARS_MAX) {
      throw new HttpException(
          413, "a form of %d characters, at most %d".formatted(chars, CHARS_MAX));
    }
    return form;
  }
}
