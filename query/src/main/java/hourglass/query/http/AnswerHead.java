package hourglass.query.http;

import hourglass.query.encode.EventFormat;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * The headers that an answer has whatever is in it.
 *
 * @param vary which headers of a request decide on the form of the answer
 * @param coding what its client would have its body packed by
 * @param disposition of a download; null: it is none
 * @param hasFacts whether headers, or trailers, say what the answer knows of itself
 */
record AnswerHead(
    String contentType,
    String vary,
    BodyCoding coding,
    @Nullable String disposition,
    boolean hasFacts) {

  /** Of an answer with events. */
  static AnswerHead ofEvents(EventFormat format, BodyCoding coding, @Nullable String disposition) {
    return new AnswerHead(
        format.contentType(), "Accept, Accept-Encoding", coding, disposition, true);
  }

  /** Of an answer that is one JSON object, which says itself what it knows. */
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
