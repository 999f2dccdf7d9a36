package hourglass.ingest.protocols.otlp;

import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.CloudEvents;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.http.ContentEncoding;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.protocols.protobuf.ProtobufWriter;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Answers calls of gRPC with one message and one answer, over HTTP/2: <a
 * href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">its specification</a>.
 */
final class Grpc {
  static final String CONTENT_TYPE = "application/grpc";

  /** The bytes before a message: whether it is packed, and its length. */
  static final int PREFIX_BYTES = 1 + Integer.BYTES;

  private static final String ENCODING = "grpc-encoding";
  private static final String STATUS = "grpc-status";
  private static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

  /** The longest message of an answer. All fields of an answer must fit 8 KiB in some clients. */
  private static final int MESSAGE_BYTES_MAX = 1_000;

  private Grpc() {}

  /** Returns whether a client of gRPC reads the answer. */
  static boolean isCall(HttpServerRequest request) {
    String contentType = request.getHeader(HttpHeaders.CONTENT_TYPE);
    if (contentType == null || request.version() != HttpVersion.HTTP_2) {
      return false;
    }
    String mediaType = CloudEvents.mediaType(contentType);
    return mediaType.equals(CONTENT_TYPE) || mediaType.equals(CONTENT_TYPE + "+proto");
  }

  /** Returns whether the message of a call may be packed. */
  static boolean isPacked(MultiMap headers) {
    String encoding = headers.get(ENCODING);
    return encoding != null && !encoding.equals("identity");
  }

  /**
   * Checks the prefix of the only message of a body, and returns whether the message is packed.
   *
   * @throws PushRefused if the body is anything else
   */
  static boolean isPackedMessage(Body body) {
    int length = body.length() - PREFIX_BYTES;
    if (length < 0) {
      throw new PushRefused(400, "body: no message of gRPC");
    }
    ByteBuffer prefix = body.toBuffer();
    byte flag = prefix.get();
    long announced = Integer.toUnsignedLong(prefix.getInt());
    if (flag < 0 || flag > 1) {
      throw new PushRefused(400, "body: a message with the flag " + Byte.toUnsignedInt(flag));
    }
    if (announced != length) {
      throw new PushRefused(
          400, "body: " + length + " bytes, want one message of " + announced + " bytes");
    }
    return flag == 1;
  }

  /**
   * Unpacks the message of a body. The array of the result is reserved in the memory of the events.
   *
   * @throws PushRefused if it cannot be unpacked
   */
  static Body unpack(Body body, MultiMap headers, ConvertedEvents events) {
    String name = headers.get(ENCODING);
    ContentEncoding encoding = ContentEncoding.of(ENCODING, name);
    int length = body.length() - PREFIX_BYTES;
    try {
      return encoding.unpack(
          new ByteArrayInputStream(body.bytes(), PREFIX_BYTES, length),
          length,
          events.memory(),
          events.limits().bodyBytesMax());
    } catch (IOException e) {
      throw new PushRefused(
          400,
          ENCODING + ": \"" + name + "\", but the message is not: " + ContentEncoding.problem(e));
    }
  }

  static void succeed(RoutingContext ctx, Buffer message) {
    HttpServerResponse response = ctx.response();
    if (!response.closed() && !response.ended()) {
      begin(response).putTrailer(STATUS, "0");
      response.end(
          Buffer.buffer(PREFIX_BYTES + message.length())
              .appendByte((byte) 0)
              .appendInt(message.length())
              .appendBuffer(message));
    }
  }

  /**
   * Answers with headers alone. If they contain {@code Retry-After}, the client also gets it in the
   * form of gRPC.
   *
   * @param status the HTTP status
   */
  static void refuse(RoutingContext ctx, int status, String message) {
    HttpServerResponse response = ctx.response();
    if (response.closed() || response.ended()) {
      return;
    }
    PushProtocol.standsFor(ctx, status);
    String seconds = response.headers().get(HttpHeaders.RETRY_AFTER);
    int code = code(status);
    if (seconds != null) {
      response.putHeader("grpc-status-details-bin", details(code, Long.parseLong(seconds)));
    }
    begin(response)
        .putHeader(STATUS, Integer.toString(code))
        .putHeader("grpc-message", percentEncoded(message))
        .end();
  }

  private static HttpServerResponse begin(HttpServerResponse response) {
    return response
        .setStatusCode(200)
        .putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
        .putHeader("grpc-accept-encoding", ContentEncoding.ALLOWED);
  }

  /** Returns the gRPC code that a client understands as an HTTP status. */
  static int code(int status) {
    return switch (status) {
      case 400 -> 3; // INVALID_ARGUMENT
      case 401 -> 16; // UNAUTHENTICATED
      case 403 -> 7; // PERMISSION_DENIED
      case 404, 405, 415 -> 12; // UNIMPLEMENTED
      case 413, 429 -> 8; // RESOURCE_EXHAUSTED, which is repeated with a RetryInfo alone
      case 503 -> 14; // UNAVAILABLE
      default -> 13; // INTERNAL
    };
  }

  /** Returns a google.rpc.Status with a RetryInfo. */
  private static String details(int code, long seconds) {
    ProtobufWriter delay = new ProtobufWriter().number(1, seconds);
    ProtobufWriter retry = new ProtobufWriter().message(1, delay);
    ProtobufWriter any = new ProtobufWriter().text(1, RETRY_INFO).message(2, retry);
    byte[] status = new ProtobufWriter().number(1, code).message(3, any).toBytes();
    return Base64.getEncoder().withoutPadding().encodeToString(status);
  }

  /** Escapes all but printable ASCII, and cuts a long message. */
  static String percentEncoded(String message) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : message.getBytes(StandardCharsets.UTF_8)) {
      if (encoded.length() >= MESSAGE_BYTES_MAX) {
        break;
      }
      if (b < ' ' || b > '~' || b == '%') {
        encoded.append("%%%02X".formatted(Byte.toUnsignedInt(b)));
      } else {
        encoded.append((char) b);
      }
    }
    return encoded.toString();
  }
}
