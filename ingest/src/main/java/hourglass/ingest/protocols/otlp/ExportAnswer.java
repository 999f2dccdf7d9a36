package hourglass.ingest.protocols.otlp;

import hourglass.ingest.decode.CloudEvents;
import hourglass.ingest.protocols.protobuf.ProtobufWriter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/** Answers requests in their own encoding. */
enum ExportAnswer {
  JSON("application/json") {
    @Override
    Buffer partialSuccess(Signal signal, long rejected, String problem) {
      // In the JSON of protocol buffers an int64 is a string.
      JsonObject partial =
          new JsonObject()
              .put(signal.rejectedName, Long.toString(rejected))
              .put("errorMessage", problem);
      return new JsonObject().put("partialSuccess", partial).toBuffer();
    }

    @Override
    Buffer status(int code, String message) {
      return new JsonObject().put("code", code).put("message", message).toBuffer();
    }

    @Override
    Buffer nothing() {
      return Buffer.buffer("{}");
    }
  },
  PROTOBUF("application/x-protobuf"),
  /** Answers a call over HTTP/2, whose status stands after the answer. */
  GRPC(Grpc.CONTENT_TYPE) {
    @Override
    void succeed(RoutingContext ctx, Buffer message) {
      Grpc.succeed(ctx, message);
    }

    @Override
    void refuse(RoutingContext ctx, int status, String message) {
      Grpc.refuse(ctx, status, message);
    }
  };

  private final String contentType;

  ExportAnswer(String contentType) {
    this.contentType = contentType;
  }

  /** Returns the encoding of a request over HTTP; null if its content type is not accepted. */
  static @Nullable ExportAnswer ofType(@Nullable String contentType) {
    return switch (contentType == null ? "" : CloudEvents.mediaType(contentType)) {
      case "application/json" -> JSON;
      case "application/x-protobuf", "application/protobuf" -> PROTOBUF;
      default -> null;
    };
  }

  /** Returns the encoding of a request; JSON if it has none that is accepted. */
  static ExportAnswer of(RoutingContext ctx) {
    return Grpc.isCall(ctx.request())
        ? GRPC
        : orJson(ofType(ctx.request().getHeader(HttpHeaders.CONTENT_TYPE)));
  }

  static ExportAnswer orJson(@Nullable ExportAnswer answer) {
    return answer == null ? JSON : answer;
  }

  void success(RoutingContext ctx) {
    succeed(ctx, nothing());
  }

  void partial(RoutingContext ctx, Signal signal, long rejected, String problem) {
    succeed(ctx, partialSuccess(signal, rejected, problem));
  }

  void succeed(RoutingContext ctx, Buffer message) {
    send(ctx, 200, message);
  }

  /** Refuses with a google.rpc.Status. */
  void refuse(RoutingContext ctx, int status, String message) {
    send(ctx, status, status(code(status), message));
  }

  /** Returns an Export...ServiceResponse. */
  Buffer partialSuccess(Signal signal, long rejected, String problem) {
    ProtobufWriter partial = new ProtobufWriter().number(1, rejected).text(2, problem);
    return Buffer.buffer(new ProtobufWriter().message(1, partial).toBytes());
  }

  Buffer status(int code, String message) {
    return Buffer.buffer(new ProtobufWriter().number(1, code).text(2, message).toBytes());
  }

  Buffer nothing() {
    return Buffer.buffer();
  }

  private void send(RoutingContext ctx, int status, Buffer body) {
    HttpServerResponse response = ctx.response();
    if (!response.closed() && !response.ended()) {
      response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, contentType).end(body);
    }
  }

  /** Returns the gRPC code that stands for an HTTP status. */
  static int code(int status) {
    return switch (status) {
      case 400, 415 -> 3; // INVALID_ARGUMENT
      case 401 -> 16; // UNAUTHENTICATED
      case 403 -> 7; // PERMISSION_DENIED
      case 404, 405 -> 12; // UNIMPLEMENTED
      case 413 -> 11; // OUT_OF_RANGE
      case 429 -> 8; // RESOURCE_EXHAUSTED
      case 503 -> 14; // UNAVAILABLE
      default -> 2; // UNKNOWN
    };
  }
}
