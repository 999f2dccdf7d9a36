package hourglass.config.gate;

import hourglass.access.SharedPlaces;
import hourglass.access.SharedRoom;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
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
public final class ConnectionWatch extends ChannelDuplexHandler implements SharedPlaces.Holder {
  private static final AttributeKey<ConnectionWatch> KEY =
      AttributeKey.valueOf(ConnectionWatch.class, "watch");

  /**
   * The largest announced body that is read to its end and dropped after an early answer. If more
   * is announced, the connection is closed.
   */
  private static final long DROPPED_BYTES_MAX = 1 << 20;

  /**
   * The time until a connection is reset after its last answer. An immediate reset could make a
   * client that still sends lose the answer.
   */
  private static final Duration LINGER = Duration.ofSeconds(1);

  /**
   * The time for a nearly ready answer after the client has ended its sending. Such a client has
   * mostly disconnected.
   */
  private static final Duration ANSWER_GRACE = Duration.ofMillis(50);

  private final Channel channel;
  private final RequestDecoder decoder;
  private final SharedRoom.Account memory;

  private final WatchTimes times;
  private final IdleClock idle = new IdleClock();
  private final SendProgress sends = new SendProgress();

  // The number of requests whose heads were read and whose responses have not ended; the fields on
  // the body concern the last of them:
  private int unanswered;
  private boolean pushUnanswered;
  private boolean receiving;
  private long announcedBytes;

  /** The defect of the current body, until it can be answered. */
  private @Nullable RefusedRequest brokenBody;

  // Whether the head of a response has been written, and its end has not:
  private boolean answering;

  /** Whether the response that is being written, or was written, is the last one. */
  private boolean closing;

  /** Whether nothing is written any more. */
  private boolean lingering;

  private boolean inputEnded;
  private long progressNanos = System.nanoTime();

  private ConnectionWatch(
      Channel channel, RequestDecoder decoder, SharedRoom.Account memory, Duration idleTimeout) {
    this.channel = channel;
    this.decoder = decoder;
    this.memory = memory;
    times = WatchTimes.of(idleTimeout);
  }

  /**
   * Watches a connection from its beginning. The connection uses HTTP/2 if TLS has negotiated it,
   * or if a plain connection begins with the preface. In that case {@code requests} handles its
   * requests.
   *
   * @param memory the memory that all connections share
   */
  public static ConnectionWatch watch(
      HttpConnection connection,
      HttpServerOptions options,
      SharedRoom memory,
      Duration idleTimeout,
      Handler<HttpServerRequest> requests) {
    Channel channel = ((ConnectionBase) connection).channel();
    SharedRoom.Account account = memory.open(ClientAddress.ofPeer(connection));
    channel.closeFuture().addListener(closed -> account.close());
    RequestDecoder decoder = new RequestDecoder(options, account);
    ConnectionWatch watch = new ConnectionWatch(channel, decoder, account, idleTimeout);
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.replace("httpDecoder", "httpDecoder", decoder);
    pipeline.addAfter("httpEncoder", "watch", watch);
    channel.attr(KEY).set(watch);
    // A client may end its sending and still read its answer.
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    Runnable http2 =
        () -> {
          pipeline.remove(decoder);
          pipeline.remove(watch);
          Http2Watch.begin(
              connection, channel, options, requests, account, watch.idle, watch.times);
        };
    SslHandler tls = pipeline.get(SslHandler.class);
    if (tls == null) {
      pipeline.addBefore("httpDecoder", "preface", new Http2Preface(http2));
    } else if (ApplicationProtocolNames.HTTP_2.equals(tls.applicationProtocol())) {
      http2.run();
    }
    return watch;
  }

  /** Runs an action at the end of the connection. */
  public void onClose(Runnable action) {
    channel.closeFuture().addListener(closed -> action.run());
  }

  /**
   * Returns the {@link System#nanoTime} since when the connection has been idle, or the current
   * time if a request is under way. Safe for any thread.
   */
  @Override
  public long idleSince() {
    return idle.idleSince();
  }

  /**
   * Stops accepting requests if the connection has been idle since the given time. Returns whether
   * it has stopped. Safe for any thread.
   */
  @Override
  public boolean tryLeave(long idleSince) {
    return idle.evict(idleSince);
  }

  /** Closes the connection, whose place another client gets. Safe for any thread. */
  public void leave() {
    channel.close();
  }

  /**
   * Returns whether the current response is the last one, so that no further request is handled.
   */
  static boolean isClosing(HttpConnection connection) {
    ConnectionWatch watch = ((ConnectionBase) connection).channel().attr(KEY).get();
    return watch != null && (watch.closing || watch.lingering);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    lookLater(ctx);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    boolean isOver = lingering || closing && !receiving || idle.isEvicted();
    if (isOver || message instanceof HttpRequest && !idle.use()) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      unanswered++;
      pushUnanswered |= request.method().equals(HttpMethod.POST);
      receiving = request.decoderResult().isSuccess();
      announcedBytes =
          HttpUtil.isTransferEncodingChunked(request)
              ? Long.MAX_VALUE
              : HttpUtil.getContentLength(request, 0L);
      progressNanos = System.nanoTime();
    } else if (message instanceof HttpContent content && content.decoderResult().isFailure()) {
      ReferenceCountUtil.release(message);
      breakBody(ctx, refused(content.decoderResult().cause()));
      return;
    } else if (message instanceof LastHttpContent) {
      receiving = false;
      progressNanos = System.nanoTime();
    }
    ctx.fireChannelRead(message);
  }

  private static RefusedRequest refused(Throwable cause) {
    if (cause instanceof RefusedRequest known) {
      return known;
    }
    return cause instanceof TooLongHttpHeaderException
        ? new RefusedRequest(431, "the trailers are too long: http.max-header-bytes")
        : RefusedRequest.bad("body: its chunks are malformed");
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (lingering) {
      drop(message, promise);
      return;
    }
    if (message instanceof HttpResponse response) {
      if (response.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
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
    if (unanswered == 1 && (more || inputEnded)) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    closing |=
        response.headers().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true);
  }

  private void end(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    answering = false;
    unanswered--;
    pushUnanswered &= unanswered > 0;
    if (unanswered == 0) {
      memory.keep(0);
    }
    progressNanos = System.nanoTime();
    closing |= inputEnded && unanswered == 0;
    if (closing) {
      promise.addListener(written -> linger(ctx));
    } else {
      promise.addListener(
          written -> {
            if (unanswered == 0) {
              idle.rest();
            }
          });
    }
    ctx.write(message, promise);
    if (brokenBody != null && !closing) {
      breakBody(ctx, brokenBody);
    }
  }

  private static void drop(Object message, ChannelPromise promise) {
    boolean isNothing = message == Unpooled.EMPTY_BUFFER;
    ReferenceCountUtil.release(message);
    if (isNothing) {
      promise.trySuccess();
    } else {
      promise.tryFailure(new ClosedChannelException());
    }
  }

  /** Ends a request whose body cannot be completed, once all requests before it are answered. */
  private void breakBody(ChannelHandlerContext ctx, RefusedRequest why) {
    brokenBody = why;
    if (unanswered > 1) {
      return;
    }
    if (unanswered == 0) {
      lingerBehindAll(ctx);
    } else if (answering) {
      ctx.flush();
      ctx.close(); // a body that broke off must not look complete
    } else {
      refuse(ctx, why);
    }
  }

  /**
   * Writes the last response directly, without Vert.x, which still waits for the rest of the
   * request.
   */
  private void refuse(ChannelHandlerContext ctx, RefusedRequest why) {
    ChannelFuture written =
        ctx.pipeline()
            .context(decoder)
            .writeAndFlush(Unpooled.wrappedBuffer(Problem.lastResponse(why)));
    lingering = true;
    written.addListener(done -> closeSoon(ctx));
  }

  /** Closes the connection after the last write, which may not be flushed yet. */
  private void lingerBehindAll(ChannelHandlerContext ctx) {
    closing = true;
    ctx.pipeline()
        .context(decoder)
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(flushed -> linger(ctx));
  }

  private void linger(ChannelHandlerContext ctx) {
    if (!lingering) {
      lingering = true;
      closeSoon(ctx);
    }
  }

  /**
   * Ends the sending at once. Closes the connection when the client has ended its sending, or after
   * {@link #LINGER}.
   */
  private void closeSoon(ChannelHandlerContext ctx) {
    if (inputEnded || !ctx.channel().isActive()) {
      ctx.close();
      return;
    }
    if (ctx.channel() instanceof DuplexChannel channel) {
      endOfSending(ctx).addListener(ended -> channel.shutdownOutput());
    }
    ctx.channel().config().setAutoRead(true);
    closeAfter(ctx, LINGER);
  }

  /**
   * Ends TLS, which has an end of its own. Without it the client would assume that the answer was
   * cut short.
   */
  private static ChannelFuture endOfSending(ChannelHandlerContext ctx) {
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    return tls == null ? ctx.newSucceededFuture() : tls.closeOutbound();
  }

  private static void closeAfter(ChannelHandlerContext ctx, Duration time) {
    var unused = ctx.executor().schedule(() -> ctx.close(), time.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (lingering && ctx.channel().isActive()) {
      ctx.channel().closeFuture().addListener(closed -> promise.trySuccess());
    } else {
      ctx.close(promise);
    }
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
    inputEnded = true;
    if (lingering) {
      ctx.close();
    } else if (receiving) {
      breakBody(ctx, RefusedRequest.bad("body: it ends too early"));
    } else if (unanswered == 0) {
      lingerBehindAll(ctx);
    } else if (!pushUnanswered) {
      closeAfter(ctx, ANSWER_GRACE);
    }
  }

  private void lookLater(ChannelHandlerContext ctx) {
    var unused = ctx.executor().schedule(() -> look(ctx), times.look(), TimeUnit.NANOSECONDS);
  }

  private void look(ChannelHandlerContext ctx) {
    if (!ctx.channel().isOpen() || ctx.isRemoved()) {
      return;
    }
    lookLater(ctx);
    long now = System.nanoTime();
    boolean isSending = sends.look(ctx.channel(), now);
    long waited = now - Math.max(progressNanos, sends.takenNanos());
    if (isSending) {
      if (waited >= times.idle()) {
        ctx.close(); // drops the bytes that wait to be written, which the client may never read
      }
      return;
    }
    if (lingering) {
      return;
    }
    if (unanswered == 0) {
      lookAtNoRequest(ctx, now, waited);
    } else if (receiving
        && !answering
        && ctx.channel().config().isAutoRead()
        && Math.min(waited, now - decoder.readNanos()) >= times.idle()) {
      String patience = WatchTimes.seconds(times.idle());
      breakBody(ctx, new RefusedRequest(408, "body: nothing came of it within " + patience));
    }
  }

  private void lookAtNoRequest(ChannelHandlerContext ctx, long now, long waited) {
    if (receiving) {
      if (waited >= times.drop()) {
        ctx.close();
      }
    } else if (decoder.isInsideHead()) {
      if (Math.min(waited, now - decoder.headSinceNanos()) >= times.head()) {
        String patience = WatchTimes.seconds(times.head());
        refuse(ctx, new RefusedRequest(408, "the head took more than " + patience));
      }
    } else if (waited >= times.idle()) { // empty lines do not keep a connection open
      ctx.close();
    }
  }
}
