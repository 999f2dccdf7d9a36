package hourglass.query.http;

import hourglass.access.Quota;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Writes a response on the event loop, in the order of the calls from any thread, until {@code
 * ended}.
 *
 * @param context of the event loop
 * @param onWritten receives each chunk of {@link #write} back
 * @param onEnd receives the outcome: "ok" or "partial" once everything is sent, or "cancelled" if
 *     the client is gone
 */
record ResponseWriter(
    RoutingContext ctx,
    Context context,
    AnswerHead head,
    Quota quota,
    BooleanSupplier ended,
    Consumer<Chunk> onWritten,
    Consumer<String> onEnd) {

  /**
   * Whether an answer of unknown length may be sent. Clients of HTTP/1.0 cannot distinguish the end
   * of its body from a cut, and know no trailers.
   */
  boolean canStream() {
    return ctx.request().version() != HttpVersion.HTTP_1_0;
  }

  /** Begins an answer of unknown length. */
  void begin(BodyCoding coding) {
    onEventLoop(
        response -> {
          head.put(response).setChunked(true);
          if (head.hasFacts()) {
            response.putHeader("Trailer", AnswerHead.FACTS);
          }
          coding.put(response);
        });
  }

  void write(List<Chunk> chunks) {
    onEventLoop(response -> chunks.forEach(this::write));
  }

  private void write(Chunk chunk) {
    ctx.response()
        .write(buffer(chunk))
        .onSuccess(written -> onWritten.accept(chunk))
        .onFailure(failure -> onEnd.accept("cancelled"));
  }

  /**
   * Returns the bytes of a chunk, and counts them. They are not copied, since the chunk is not
   * reused before its bytes are written.
   */
  private Buffer buffer(Chunk chunk) {
    quota.read(chunk.length());
    return BufferInternal.buffer(Unpooled.wrappedBuffer(chunk.bytes(), 0, chunk.length()));
  }

  void whole(List<Chunk> chunks, BodyCoding coding, AnswerFacts facts) {
    onEventLoop(
        response -> {
          head.put(response);
          coding.put(response);
          if (head.hasFacts()) {
            AnswerHead.putFacts(facts, ctx.request(), response.headers());
          }
          int bytes = chunks.stream().mapToInt(Chunk::length).sum();
          response.putHeader("Content-Length", Integer.toString(bytes));
          end(chunks, facts);
        });
  }

  void rest(List<Chunk> chunks, AnswerFacts facts) {
    onEventLoop(
        response -> {
          if (head.hasFacts()) {
            AnswerHead.putFacts(facts, ctx.request(), response.trailers());
          }
          end(chunks, facts);
        });
  }

  private void end(List<Chunk> chunks, AnswerFacts facts) {
    chunks.stream()
        .filter(chunk -> chunk.length() > 0)
        .forEach(chunk -> ctx.response().write(buffer(chunk)));
    ctx.response()
        .end()
        .onSuccess(done -> onEnd.accept(facts.isComplete() ? "ok" : "partial"))
        .onFailure(failure -> onEnd.accept("cancelled"));
  }

  /** Sends an error, or breaks a body that has begun. Works even after the end of the answer. */
  void fail(Failure failure) {
    context.runOnContext(
        ignored -> {
          HttpServerResponse response = ctx.response();
          if (response.headWritten()) {
            Failure.cut(ctx);
          } else {
            AnswerHead.remove(response.headers());
            response.setChunked(false);
            failure.send(ctx);
          }
        });
  }

  /** Breaks the answer. Works even after its end. */
  void cut() {
    context.runOnContext(ignored -> Failure.cut(ctx));
  }

  private void onEventLoop(Consumer<HttpServerResponse> action) {
    context.runOnContext(
        ignored -> {
          if (!ended.getAsBoolean()) {
            action.accept(ctx.response());
          }
        });
  }
}
