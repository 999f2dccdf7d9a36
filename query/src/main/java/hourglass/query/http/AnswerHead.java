package hourglass.query.http;

import hourglass.query.encode.EventFormat;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * The headers of an answer that do not depend on its contents.
 *
 * @param vary the request headers that decide the form of the answer
 * @param coding the coding that the client prefers for the body
 * @param disposition the Content-Disposition of a download; null for other answers
 * @param hasFacts whether headers or trailers carry the facts of the answer
 */
record AnswerHead(
    String contentType,
    String vary,
    BodyCoding coding,
    @Nullable String disposition,
    boolean hasFacts) {

  static AnswerHead ofEvents(EventFormat format, BodyCoding coding, @Nullable String disposition) {
    return new AnswerHead(
        format.contentType(), "Accept, Accept-Encoding", coding, disposition, true);
  }

  /** The head of a JSON object, which carries its facts itself. */
  static AnswerHead ofJson(BodyCoding coding) {
    return new AnswerHead("application/json", "Accept-Encoding", coding, null, false);
  }

  HttpServerResponse put(HttpServerResponse response) {
    if (disposition != null) {
      response.putHeader("Content-Disposition", disposition);
    }
    return response
        .putHeader("Content-Type", contentType)
        .putHeader("Cache-Control", "no-store")
        .putHeader("Vary", vary);
  }

  /** Removes the headers that an error in place of the answer must not have. */
  static void remove(MultiMap headers) {
    headers
        .remove("Trailer")
        .remove("Content-Encoding")
        .remove("Content-Disposition")
        .remove("Content-Length")
        .remove("Transfer-Encoding");
  }
}
