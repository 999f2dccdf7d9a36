package hourglass.query.http;

import hourglass.query.EventFormat;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * The headers that an answer with events has whatever is in it.
 *
 * @param coding what its client would have its body packed by
 * @param disposition of a download; null: it is none
 */
record AnswerHead(EventFormat format, BodyCoding coding, @Nullable String disposition) {

  HttpServerResponse put(HttpServerResponse response) {
    if (disposition != null) {
      response.putHeader("Content-Disposition", disposition);
    }
    return response
        .putHeader("Content-Type", format.contentType())
        .putHeader("Cache-Control", "no-store")
        .putHeader("Vary", "Accept, Accept-Encoding");
  }

  /** Takes back what an error in place of the answer must not have. */
  static void remove(MultiMap headers) {
    headers
        .remove("Trailer")
        .remove("Content-Encoding")
        .remove("Content-Disposition")
        .remove("Content-Length")
        .remove("Transfer-Encoding");
  }
}
