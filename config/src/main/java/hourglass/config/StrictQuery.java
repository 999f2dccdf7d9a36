package hourglass.config;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Refuses query strings that are not UTF-8 under their percent signs. Decoders replace what they
 * cannot read, so the request would be about another type than the one that was asked for.
 */
final class StrictQuery {
  private StrictQuery() {}

  static void mount(Router router) {
    router.route().handler(StrictQuery::check);
  }

  private static void check(RoutingContext ctx) {
    String query = ctx.request().query();
    if (query == null || isUtf8(query)) {
      ctx.next();
    } else {
      ctx.fail(new HttpException(400, "query: \"" + query + "\" is not UTF-8, percent-encoded"));
    }
  }

  static boolean isUtf8(String query) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(query.length());
    for (int i = 0; i < query.length(); i++) {
      char c = query.charAt(i);
      if (c > '~') {
        return false;
      }
      int octet = c == '%' ? octet(query, i + 1) : -1;
      bytes.write(octet < 0 ? c : octet);
      i += octet < 0 ? 0 : 2;
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray()));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** The byte of two hexadecimal digits; -1 where they are not there, which the router refuses. */
  private static int octet(String query, int at) {
    if (at + 2 > query.length()) {
      return -1;
    }
    int high = Character.digit(query.charAt(at), 16);
    int low = Character.digit(query.charAt(at + 1), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }
}
