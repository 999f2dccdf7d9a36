package hourglass.config.gate;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes an HTTP/1 connection after its last answer, so that the client can read the answer whole.
 * Used by one event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a write that fails closes the channel, and that is noticed
final class OrderlyClose {
  /**
   * The time until a connection is reset after its last answer. An immediate reset could make a
   * client that still sends lose the answer.
   */
  private static final Duration LINGER = Duration.ofSeconds(1);

  /** The way to the end, in order. */
  private enum Stage {
    OPEN,
    /** The response that is being written is the last one. */
    LAST_ANSWER,
    /** The last response is written, and nothing follows it. */
    ANSWERED,
    /** The sending has ended, and the connection is closed soon. */
    LINGERING
  }

  private final ChannelHandlerContext ctx;
  private Stage stage = Stage.OPEN;
  private boolean inputEnded;

  /** Creates the close of a connection. {@code ctx} is the place of what writes bytes. */
  OrderlyClose(ChannelHandlerContext ctx) {
    this.ctx = ctx;
  }

  /** Returns whether the current response is the last one, or was. */
  boolean isLastAnswer() {
    return stage != Stage.OPEN;
  }

  /** Returns whether nothing more is written. */
  boolean isAnswered() {
    return stage.compareTo(Stage.ANSWERED) >= 0;
  }

  /** Returns whether the client has ended its sending. */
  boolean hasInputEnded() {
    return inputEnded;
  }

  /** Notes that the client has ended its sending. Closes the connection if nothing is written. */
  void endInput() {
    inputEnded = true;
    if (stage == Stage.LINGERING) {
      ctx.close();
    }
  }

  /** Makes the response that is being written the last one. */
  void announce() {
    reach(Stage.LAST_ANSWER);
  }

  /** Notes the end of the last response, which is written when the future completes. */
  void endWith(ChannelFuture written) {
    reach(Stage.ANSWERED);
    written.addListener(done -> linger());
  }

  /**
   * Writes the last response directly, without Vert.x, which still waits for the rest of the
   * request.
   */
  void refuse(RefusedRequest why) {
    endWith(ctx.writeAndFlush(Unpooled.wrappedBuffer(Problem.lastResponse(why))));
  }

  /** Closes the connection after the last write, which may not be flushed yet. */
  void endBehindAll() {
    endWith(ctx.writeAndFlush(Unpooled.EMPTY_BUFFER));
  }

  private void reach(Stage next) {
    if (stage.compareTo(next) < 0) {
      stage = next;
    }
  }

  /**
   * Ends the sending at once. Closes the connection when the client has ended its sending, or after
   * {@link #LINGER}.
   */
  private void linger() {
    if (stage == Stage.LINGERING) {
      return;
    }
    stage = Stage.LINGERING;
    Channel channel = ctx.channel();
    if (inputEnded || !channel.isActive()) {
      ctx.close();
      return;
    }
    if (channel instanceof DuplexChannel duplex) {
      endOfSending().addListener(ended -> duplex.shutdownOutput());
    }
    channel.config().setAutoRead(true);
    closeAfter(LINGER);
  }

  /**
   * Ends TLS, which has an end of its own. Without it the client would assume that the answer was
   * cut short.
   */
  private ChannelFuture endOfSending() {
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    return tls == null ? ctx.newSucceededFuture() : tls.closeOutbound();
  }

  /** Closes the connection after a time, without regard to what is still written. */
  void closeAfter(Duration time) {
    Future<?> end =
        ctx.executor().schedule(() -> ctx.close(), time.toMillis(), TimeUnit.MILLISECONDS);
    ctx.channel().closeFuture().addListener(closed -> end.cancel(false));
  }

  /** Closes the connection for Vert.x: at once, or when the client has read its last answer. */
  void close(ChannelPromise promise) {
    if (isAnswered() && ctx.channel().isActive()) {
      ctx.channel().closeFuture().addListener(closed -> promise.trySuccess());
    } else {
      ctx.close(promise);
    }
  }

  /** Drops a message that is written after the last answer. */
  static void drop(Object message, ChannelPromise promise) {
    boolean isNothing = message == Unpooled.EMPTY_BUFFER;
    ReferenceCountUtil.release(message);
    if (isNothing) {
      promise.trySuccess();
    } else {
      promise.tryFailure(new ClosedChannelException());
    }
  }
}
