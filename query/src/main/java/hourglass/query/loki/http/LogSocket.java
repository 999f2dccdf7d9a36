package hourglass.query.loki.http;

import hourglass.access.Quota;
import hourglass.access.SecretText;
import hourglass.query.Chunk;
import hourglass.query.http.Failure;
import hourglass.query.http.TailConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.RoutingContext;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A tail as a WebSocket, in which each line of its text is a frame. */
final class LogSocket implements TailConnection {
  // Codes of RFC 6455, and "try again later" of its registry.
  private static final short GOING_AWAY = 1001;
  private static final short POLICY = 1008;
  private static final short INTERNAL_ERROR = 1011;
  private static final short TRY_AGAIN = 1013;

  private static final int REASON_BYTES_MAX = 123;

  private final RoutingContext ctx;
  private final ServerWebSocket socket;
  private final Context context;
  private final Quota quota;
  private volatile Runnable gone = () -> {};

  LogSocket(RoutingContext ctx, ServerWebSocket socket, Quota quota) {
    this.ctx = ctx;
    this.socket = socket;
    this.quota = quota;
    context = ctx.vertx().getOrCreateContext();
  }

  @Override
  public void onGone(Runnable isGone) {
    gone = isGone;
    socket.closeHandler(closed -> isGone.run());
    socket.exceptionHandler(failure -> isGone.run());
  }

  @Override
  public void begin() {
    // the handshake was all
  }

  @Override
  public void write(Chunk chunk, Consumer<Chunk> onWritten) {
    quota.read(chunk.length());
    context.runOnContext(
        ignored -> {
          if (socket.isClosed()) {
            gone.run();
            return;
          }
          Future<Void> last = Future.succeededFuture();
          byte[] bytes = chunk.bytes();
          int from = 0;
          for (int at = 0; at < chunk.length(); at++) {
            if (bytes[at] == '\n') {
              last =
                  socket.writeTextMessage(
                      new String(bytes, from, at - from, StandardCharsets.UTF_8));
              from = at + 1;
            }
          }
          last.onSuccess(written -> onWritten.accept(chunk)).onFailure(failure -> gone.run());
        });
  }

  @Override
  public void ping() {
    context.runOnContext(
        ignored -> {
          if (!socket.isClosed()) {
            socket.writePing(Buffer.buffer());
          }
        });
  }

  @Override
  public void end(Failure failure) {
    short code =
        switch (failure.status()) {
          case 400, 401 -> POLICY;
          case 429 -> TRY_AGAIN;
          case 503 -> GOING_AWAY;
          default -> INTERNAL_ERROR;
        };
    String reason = first(SecretText.hide(failure.detail()));
    context.runOnContext(
        ignored -> {
          if (!socket.isClosed()) {
            socket.close(code, reason);
          }
        });
  }

  /** Returns the beginning of a text that fits into the reason of a close. */
  private static String first(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(REASON_BYTES_MAX);
    var unused = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text), bytes, true);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }

  @Override
  public void cut(Failure failure) {
    context.runOnContext(ignored -> Failure.cut(ctx)); // no frame: it would wait like others
  }
}
