package hourglass.config.gate;

import hourglass.config.gate.ConnectionGate.Stop;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches one HTTP/1 connection for idle and slow clients, for the rest of a body after its answer,
 * and for the close. Used by one event loop.
 *
 * <p>A client is idle if it has no request under way, or while it neither sends the body that it
 * announced nor reads its answer. It is never idle while the server works. After a response with
 * {@code Connection: close} no more requests are read.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a write that fails closes the channel, and that is noticed
final class Http1Watch extends ChannelDuplexHandler {
  /**
   * The largest announced body that is read to its end and dropped after an early answer. If more
   * is announced, the connection is closed.
   */
  private static final long DROPPED_BYTES_MAX = 1 << 20;

  /**
   * The time for a nearly ready answer after the client has ended its sending. Such a client has
   * mostly disconnected.
   */
  private static final Duration ANSWER_GRACE = Duration.ofMillis(50);

  /**
   * The number of requests without an answer at which no more are read. Vert.x queues them all, and
   * does not bound its queue once a route has resumed the socket. Reading goes on at half of it.
   */
  private static final int UNANSWERED_MAX = 16;

  private static final String BEHIND_LAST_ANSWER =
      "the connection is closed after the previous answer";

  private final RequestReader reader;
  private final HeadMemory memory;
  private final OrderlyClose close;
  private final ConnectionGate connection;
  private final SendProgress sends = new SendProgress();

  /** The requests whose heads were read and whose responses have not ended, the oldest first. */
  private final Deque<HttpRequest> unanswered = new ArrayDeque<>(1);

  // The body of the last of them:
  private boolean receiving;
  private long announcedBytes;

  /** The defect of the current body, until it can be answered. */
  private @Nullable RefusedRequest brokenBody;

  // Whether the head of a response has been written, and its end has not:
  private boolean answering;

  private long progressNanos = System.nanoTime();
  private @Nullable ScheduledFuture<?> looks;

  private Http1Watch(
      RequestReader reader, HeadMemory memory, OrderlyClose close, ConnectionGate connection) {
    this.reader = reader;
    this.memory = memory;
    this.close = close;
    this.connection = connection;
  }

  /**
   * Watches a connection whose decoder has read nothing. Returns the action that stops it.
   *
   * @param before the handler after which bytes are checked
   * @param lineBytesMax the length of a line above which the decoder refuses it
   */
  static Runnable begin(ChannelHandlerContext before, int lineBytesMax, ConnectionGate connection) {
    // A client may end its sending and still read its answer.
    before.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    ChannelPipeline pipeline = before.pipeline();
    HeadMemory memory = new HeadMemory(connection.memory());
    RequestReader reader = new RequestReader(lineBytesMax, memory);
    pipeline.addAfter(before.name(), null, reader);
    OrderlyClose close = new OrderlyClose(pipeline.context(reader));
    Http1Watch watch = new Http1Watch(reader, memory, close, connection);
    pipeline.addAfter(pipeline.context(HttpResponseEncoder.class).name(), null, watch);
    ChannelHandlerContext own = pipeline.context(watch);
    return () -> watch.stop(own);
  }

  private WatchTimes times() {
    return connection.times();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    looks =
        ctx.executor()
            .scheduleWithFixedDelay(
                () -> look(ctx), times().look(), times().look(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (looks != null) {
      looks.cancel(false);
    }
    sends.end();
  }

  /**
   * Makes the answer under way the last one, and closes the connection at once if there is none. A
   * WebSocket stays until Vert.x or its route ends it.
   */
  private void stop(ChannelHandlerContext ctx) {
    if (ctx.isRemoved() || close.isAnswered() || reader.isWebSocket()) {
      return; // it is closed already when its handler is removed
    }
    if (!unanswered.isEmpty()) {
      close.announce();
    } else if (!receiving && connection.tryLeave(connection.idleSince())) {
      ctx.close();
    } else { // the client may still read its answer
      close.endBehindAll();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    boolean isLast = !reader.isWebSocket() && (close.isLastAnswer() || connection.isStopping());
    boolean isOver = close.isAnswered() || isLast && !receiving || connection.isEvicted();
    if (isOver || message instanceof HttpRequest && !connection.use()) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      begin(request);
    } else if (message instanceof HttpContent content && content.decoderResult().isFailure()) {
      reader.stop();
      ReferenceCountUtil.release(message);
      breakBody(ctx, refused(content.decoderResult().cause()));
      return;
    } else if (message instanceof LastHttpContent) {
      receiving = false;
      progressNanos = System.nanoTime();
    } else if (unanswered.size() > 1) { // a body that waits for the answers before its own
      connection.stopReading(Stop.UNANSWERED);
    }
    ctx.fireChannelRead(message);
  }

  private void begin(HttpRequest request) {
    unanswered.add(request);
    if (unanswered.size() >= UNANSWERED_MAX) {
      connection.stopReading(Stop.UNANSWERED); // within a round of reading, which may be a MiB
    }
    receiving = request.decoderResult().isSuccess();
    if (!receiving) {
      reader.stop();
      request.setProtocolVersion(HttpVersion.HTTP_1_1); // the version of its answer
    }
    announcedBytes =
        HttpUtil.isTransferEncodingChunked(request)
            ? Long.MAX_VALUE
            : HttpUtil.getContentLength(request, 0L);
    progressNanos = System.nanoTime();
    if (request.headers().contains(HttpHeaderNames.UPGRADE)) {
      ignoreUpgradeToHttp2(request);
    }
  }

  /** Hides an offer to upgrade to HTTP/2, instead of which Vert.x would drop a body. */
  private static void ignoreUpgradeToHttp2(HttpRequest request) {
    CharSequence http2 = Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME;
    if (request.headers().contains(HttpHeaderNames.UPGRADE, http2, true)) {
      request.headers().remove(HttpHeaderNames.UPGRADE);
    }
  }

  private static RefusedRequest refused(Throwable cause) {
    if (cause instanceof RefusedRequest known) {
      return known;
    }
    return cause instanceof TooLongHttpHeaderException
        ? new RefusedRequest(431, "the trailers are too long: http.max-header-bytes")
        : RefusedRequest.bad("body: its chunks are malformed");
  }

  /** Reads on, after each round of reading or when Vert.x has resumed it. */
  @Override
  public void read(ChannelHandlerContext ctx) {
    if (close.isAnswered() || connection.checkReading()) {
      ctx.read();
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (close.isAnswered()) {
      OrderlyClose.drop(message, promise);
      return;
    }
    if (message instanceof HttpResponse response) {
      if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
        if (response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
          reader.beginWebSocket();
        }
        ctx.write(message, promise);
        return;
      }
      begin(response);
    }
    if (message instanceof LastHttpContent) {
      end(ctx, message, promise.unvoid());
    } else {
      ctx.write(message, promise);
    }
  }

  private void begin(HttpResponse response) {
    answering = true;
    boolean more = receiving && announcedBytes > DROPPED_BYTES_MAX;
    boolean isLast = unanswered.size() == 1 && (more || close.hasInputEnded());
    if (isLast || close.isLastAnswer() || connection.isStopping()) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    if (response
        .headers()
        .containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
      close.announce();
    }
  }

  private void end(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    answering = false;
    unanswered.remove();
    memory.endAnswer();
    if (unanswered.size() <= (receiving ? 1 : UNANSWERED_MAX / 2)) {
      connection.resumeReading(Stop.UNANSWERED);
    }
    progressNanos = System.nanoTime();
    if (close.isLastAnswer() || close.hasInputEnded() && unanswered.isEmpty()) {
      // Vert.x has these, and would hand on the next:
      failUnanswered(RefusedRequest.bad(BEHIND_LAST_ANSWER));
      close.endWith(promise);
    } else {
      promise.addListener(
          written -> {
            if (unanswered.isEmpty()) {
              connection.rest();
              sends.end();
            }
          });
    }
    ctx.write(message, promise);
    if (brokenBody != null && !close.isLastAnswer()) {
      breakBody(ctx, brokenBody);
    }
  }

  /** Ends a request whose body cannot be completed, once all requests before it are answered. */
  private void breakBody(ChannelHandlerContext ctx, RefusedRequest why) {
    brokenBody = why;
    if (unanswered.size() > 1) {
      return;
    }
    if (unanswered.isEmpty()) {
      close.endBehindAll();
    } else if (answering) {
      ctx.flush();
      ctx.close(); // a body that broke off must not look complete
    } else {
      failUnanswered(why); // Vert.x may have this request, and would hand it on after its refusal
      close.refuse(why);
    }
  }

  private void failUnanswered(RefusedRequest why) {
    unanswered.forEach(request -> request.setDecoderResult(DecoderResult.failure(why)));
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    close.close(promise);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    boolean isEndOfTls =
        event instanceof SslCloseCompletionEvent closed
            && closed.isSuccess()
            && ctx.channel().isActive();
    if (event instanceof ChannelInputShutdownEvent || isEndOfTls) {
      inputEnded(ctx);
    }
    super.userEventTriggered(ctx, event);
  }

  /**
   * Reacts to the end of the client's sending. An answer to a push is still sent, because the push
   * is stored. Other answers are hardly ever read.
   */
  private void inputEnded(ChannelHandlerContext ctx) {
    close.endInput();
    if (close.isAnswered()) {
      return;
    }
    if (receiving) {
      breakBody(ctx, RefusedRequest.bad("body: it ends too early"));
    } else if (unanswered.isEmpty()) {
      close.endBehindAll();
    } else if (unanswered.stream().noneMatch(one -> one.method().equals(HttpMethod.POST))) {
      close.closeAfter(ANSWER_GRACE);
    }
  }

  /** Closes a connection without a request whose client has reset it; Vert.x would log that. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException && unanswered.isEmpty()) {
      ctx.close();
    } else {
      ctx.fireExceptionCaught(cause);
    }
  }

  private void look(ChannelHandlerContext ctx) {
    long now = System.nanoTime();
    boolean isSending = sends.look(ctx.channel(), now);
    long waited = now - Math.max(progressNanos, sends.takenNanos());
    if (isSending) {
      if (waited >= times().idle()) {
        ctx.close(); // drops the bytes that wait to be written, which the client may never read
      }
      return;
    }
    if (close.isAnswered()) {
      return;
    }
    if (unanswered.isEmpty()) {
      lookAtNoRequest(ctx, now, waited);
    } else if (receiving
        && !answering
        && ctx.channel().config().isAutoRead()
        && Math.min(waited, now - reader.readNanos()) >= times().idle()) {
      String patience = WatchTimes.seconds(times().idle());
      breakBody(ctx, new RefusedRequest(408, "body: nothing came of it within " + patience));
    }
  }

  private void lookAtNoRequest(ChannelHandlerContext ctx, long now, long waited) {
    if (receiving) {
      if (waited >= times().drop()) {
        ctx.close();
      }
    } else if (reader.isInsideHead()) {
      if (Math.min(waited, now - reader.headSinceNanos()) >= times().head()) {
        String patience = WatchTimes.seconds(times().head());
        close.refuse(new RefusedRequest(408, "the head took more than " + patience));
      }
    } else if (waited >= times().idle()) { // empty lines do not keep a connection open
      ctx.close();
    }
  }
}
