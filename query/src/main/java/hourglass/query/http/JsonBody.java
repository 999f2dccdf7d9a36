package hourglass.query.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * The body of an answer that is one JSON object.
 *
 * @param bytes as they are sent
 * @param coding what they are packed by
 */
@SuppressWarnings("ArrayRecordComponent") // written once, never compared
record JsonBody(byte[] bytes, BodyCoding coding) {

  /** Packs a body, if it is worth it, by what its client accepts; not for an event loop. */
  static JsonBody of(byte[] json, BodyCoding accepted) {
    return accepted == BodyCoding.IDENTITY || json.length < BodyCoding.BYTES_MIN
        ? new JsonBody(json, BodyCoding.IDENTITY)
        : new JsonBody(Packer.pack(accepted, json), accepted);
  }

  /** The headers that such an answer has whatever is in it. */
  static HttpServerResponse putHead(HttpServerResponse response) {
    return response
        .putHeader("Content-Type", "application/json")
        .putHeader("Cache-Control", "no-store")
        .putHeader("Vary", "Accept-Encoding");
  }

  void send(HttpServerResponse response) {
    coding.put(response);
    putHead(response).end(Buffer.buffer(bytes));
  }
}
