package hourglass.config.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
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
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.impl.ConnectionBase;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Watches one connection: idle and slow clients, the rest of a body, and the close. Used by one
 * event loop.
 *
 * <p>A client is idle without a request under way, or while it neither sends its announced body nor
 * takes its answer. It never is while the server works. After a response with {@code Connection:
 * close} no more requests are read.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a write that fails closes the channel, and that is noticed
public final class ConnectionWatch extends ChannelDuplexHandler {
  private static final AttributeKey<ConnectionWatch> KEY =
      AttributeKey.valueOf(ConnectionWatch.class, "watch");

  /** A head is mostly one packet; a client that takes longer only holds a connection. */
  private static final Duration HEAD_PATIENCE = Duration.ofSeconds(30);

  /** For the rest of a body, which is dropped behind its answer. */
  private static final Duration DROP_PATIENCE = Duration.ofSeconds(30);

  /** With more of a body to drop, the connection is closed. */
  private static final long DROPPED_BYTES_MAX = 1 << 20;

  /** A reset at once would take the answer from a client that still sends. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  /** A client that ends its sending has mostly left; a nearly ready answer may take so long. */
  private static final Duration ANSWER_GRACE = Duration.ofMillis(50);

  private static final Duration LOOK_MIN = Duration.ofMillis(100);
  private static final Duration LOOK_MAX = Duration.ofSeconds(5);

  /** In place of the time since when it is idle: a request is under way. */
  private static final long IN_USE = Long.MAX_VALUE;

  /** In place of the same time: another client got the place. */
  private static final long EVICTED = Long.MIN_VALUE;

  private final Channel channel;
  private final RequestDecoder decoder;

  /** In nanoseconds; {@link #IN_USE} and {@link #EVICTED} exclude each other by this one value. */
  private final AtomicLong idleSince = new AtomicLong(System.nanoTime());

  private final long idleNanos;
  private final long headNanos;
  private final long dropNanos;
  private final long lookNanos;

  // Requests whose head was read, and whose response has not ended; of the last one, the body:
  private int unanswered;
  private boolean pushUnanswered;
  private boolean receiving;
  private long announcedBytes;

  /** The defect of the current body, until it can be answered. */
  private @Nullable RefusedRequest brokenBody;

  // Of the response that is being written: its head has been.
  private boolean answering;

  /** The response that is being written, or was, is the last one. */
  private boolean closing;

  /** Nothing is written any more. */
  private boolean lingering;

  private boolean inputEnded;
  private long progressNanos = System.nanoTime();
  private @Nullable Object sending;
  private long sent;

  private ConnectionWatch(Channel channel, RequestDecoder decoder, Duration idleTimeout) {
    this.channel = channel;
    this.decoder = decoder;
    idleNanos = idleTimeout.toNanos();
    headNanos = Math.min(idleNanos, HEAD_PATIENCE.toNanos());
    dropNanos = Math.min(idleNanos, DROP_PATIENCE.toNanos());
    lookNanos = Math.max(LOOK_MIN.toNanos(), Math.min(LOOK_MAX.toNanos(), headNanos / 4));
  }

  /** Watches a connection of HTTP/1 from its beginning. */
  public static ConnectionWatch watch(
      HttpConnection connection, HttpServerOptions options, Duration idleTimeout) {
    Channel channel = ((ConnectionBase) connection).channel();
    RequestDecoder decoder = new RequestDecoder(options);
    ConnectionWatch watch = new ConnectionWatch(channel, decoder, idleTimeout);
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.replace("httpDecoder", "httpDecoder", decoder);
    pipeline.addAfter("httpEncoder", "watch", watch);
    channel.attr(KEY).set(watch);
    // A client may end its sending and still want its answer.
    channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    return watch;
  }

  /** By {@link System#nanoTime}; now if a request is under way. Safe for any thread. */
  long idleSince() {
    long since = idleSince.get();
    return since == IN_USE || since == EVICTED ? System.nanoTime() : since;
  }

  /** Closes the connection if it has been idle since then. Safe for any thread. */
  boolean evict(long since) {
    boolean isIdle = idleSince.compareAndSet(since, EVICTED);
    if (isIdle) {
      channel.close();
    }
    return isIdle;
  }

  private boolean use() {
    return idleSince.updateAndGet(since -> since == EVICTED ? EVICTED : IN_USE) == IN_USE;
  }

  /** Whether no further request is worked on after the current response. */
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
    boolean isOver = lingering || closing && !receiving || idleSince.get() == EVICTED;
    if (isOver || message instanceof HttpRequest && !use()) {
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
    progressNanos = System.nanoTime();
    closing |= inputEnded && unanswered == 0;
    if (closing) {
      promise.addListener(written -> linger(ctx));
    } else {
      promise.addListener(
          written -> {
            if (unanswered == 0) {
              idleSince.compareAndSet(IN_USE, System.nanoTime());
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

  /** Ends a request whose body cannot be completed, once it is its turn. */
  private void breakBody(ChannelHandlerContext ctx, RefusedRequest why) {
    brokenBody = why;
    if (unanswered > 1) {
      return;
    }
    if (unanswered == 0) {
      lingerBehindAll(ctx);
    } else if (answering) {
      ctx.flush();
      ctx.close(); // a body that broke off must not look whole
    } else {
      refuse(ctx, why);
    }
  }

  /** Sends the last response past Vert.x, which still waits for the rest of the request. */
  private void refuse(ChannelHandlerContext ctx, RefusedRequest why) {
    ChannelFuture written =
        ctx.pipeline()
            .context(decoder)
            .writeAndFlush(Unpooled.wrappedBuffer(Problem.lastResponse(why)));
    lingering = true;
    written.addListener(done -> closeSoon(ctx));
  }

  /** Closes behind the last write, which may not be flushed yet. */
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

  /** Ends the sending at once, and the connection when the client has ended its own, or soon. */
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

  /** TLS has an end of its own, without which the client would take the answer for cut short. */
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

  /** An answer to a push is worth a try: the push is stored. Others are hardly ever read. */
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
    var unused = ctx.executor().schedule(() -> look(ctx), lookNanos, TimeUnit.NANOSECONDS);
  }

  private void look(ChannelHandlerContext ctx) {
    if (!ctx.channel().isOpen()) {
      return;
    }
    lookLater(ctx);
    long now = System.nanoTime();
    if (isSending(ctx.channel(), now)) {
      if (now - progressNanos >= idleNanos) {
        ctx.close(); // without what waits to be written, which the client may never take
      }
      return;
    }
    long quiet = now - Math.max(progressNanos, decoder.readNanos());
    if (lingering) {
      return;
    }
    if (unanswered == 0) {
      lookAtNoRequest(ctx, now);
    } else if (receiving
        && !answering
        && ctx.channel().config().isAutoRead()
        && quiet >= idleNanos) {
      breakBody(
          ctx, new RefusedRequest(408, "body: nothing came of it within " + seconds(idleNanos)));
    }
  }

  private void lookAtNoRequest(ChannelHandlerContext ctx, long now) {
    long waited = now - progressNanos;
    if (receiving) {
      if (waited >= dropNanos) {
        ctx.close();
      }
    } else if (decoder.isInsideHead()) {
      if (Math.min(waited, now - decoder.headSinceNanos()) >= headNanos) {
        refuse(ctx, new RefusedRequest(408, "the head took more than " + seconds(headNanos)));
      }
    } else if (waited >= idleNanos) { // empty lines keep no connection open
      ctx.close();
    }
  }

  /** Whether bytes wait for the client to take some; notes when it did. */
  private boolean isSending(Channel channel, long now) {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    Object current = buffer == null ? null : buffer.current();
    if (current == null) {
      if (sending != null) {
        sending = null;
        progressNanos = now;
      }
      return false;
    }
    long progress = buffer.currentProgress();
    if (current != sending || progress != sent) {
      sending = current;
      sent = progress;
      progressNanos = now;
    }
    return true;
  }

  private static String seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
  }
}
