package hourglass.config.gate;

import hourglass.access.SharedPlaces;
import hourglass.access.SharedRoom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection, which holds a place. Its protocol is HTTP/2 if TLS has negotiated it, or if a
 * plain connection begins with the preface of RFC 9113, section 3.4, and HTTP/1 otherwise. Until it
 * is known, the gate is a handler that watches the connection. Used by one event loop, but its
 * place and its end by any thread.
 */
final class ConnectionGate extends ByteToMessageDecoder implements SharedPlaces.Holder {
  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  /** An empty line, which may precede a request. It makes Vert.x decode HTTP/1. */
  private static final ByteBuf EMPTY_LINE =
      Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[] {'\r', '\n'}));

  /** The value of {@link #since} while a request is under way. */
  private static final long IN_USE = Long.MAX_VALUE;

  /** The value of {@link #since} after another client got the place. */
  private static final long EVICTED = Long.MIN_VALUE;

  private final Channel channel;
  private final SharedRoom.Account memory;
  private final int headerBytesMax;
  private final WatchTimes times;
  private final BooleanSupplier isStopping;
  private final Set<Stop> stops = EnumSet.noneOf(Stop.class);

  /** The reasons why the socket is not read. */
  enum Stop {
    /** The route of the current request has paused its body. */
    PAUSED_BODY,
    /** Vert.x would queue more than it should, behind answers that have not ended. */
    UNANSWERED
  }

  /**
   * The time in nanoseconds since when the connection has been idle, or {@link #IN_USE} or {@link
   * #EVICTED}. One value holds all three, so that they exclude each other.
   */
  private final AtomicLong since = new AtomicLong(System.nanoTime());

  private @Nullable ScheduledFuture<?> patience;
  private Runnable onStop = this::leave;

  /** Creates a gate. {@code isStopping} is true once the listener accepts no more requests. */
  ConnectionGate(
      Channel channel,
      SharedRoom.Account memory,
      int headerBytesMax,
      WatchTimes times,
      BooleanSupplier isStopping) {
    this.channel = channel;
    this.memory = memory;
    this.headerBytesMax = headerBytesMax;
    this.times = times;
    this.isStopping = isStopping;
  }

  /** Watches the connection, whose handlers Vert.x has added. */
  void mount() {
    ChannelPipeline pipeline = channel.pipeline();
    if (pipeline.get(SslHandler.class) == null) {
      pipeline.addFirst(this);
    } else {
      pipeline.addLast(this); // Vert.x adds its handlers of HTTP after the handshake
    }
  }

  /** Returns the account of the memory of this connection. */
  SharedRoom.Account memory() {
    return memory;
  }

  WatchTimes times() {
    return times;
  }

  /**
   * Returns the {@link System#nanoTime} since when the connection has been idle, or the current
   * time if a request is under way. Safe for any thread.
   */
  @Override
  public long idleSince() {
    long known = since.get();
    return known == IN_USE || known == EVICTED ? System.nanoTime() : known;
  }

  /**
   * Evicts the connection if it has been idle since the given time. Returns whether it was evicted,
   * in which case it is never used again. Safe for any thread.
   */
  @Override
  public boolean tryLeave(long idleSince) {
    return since.compareAndSet(idleSince, EVICTED);
  }

  /** Returns whether no further request begins, on any connection. */
  boolean isStopping() {
    return isStopping.getAsBoolean();
  }

  boolean isEvicted() {
    return since.get() == EVICTED;
  }

  /** Notes that a request begins. Returns false if the connection was evicted. */
  boolean use() {
    return since.updateAndGet(known -> known == EVICTED ? EVICTED : IN_USE) == IN_USE;
  }

  /** Notes that the last request under way has ended. */
  void rest() {
    since.compareAndSet(IN_USE, System.nanoTime());
  }

  /** Closes the connection, whose place another client gets. Safe for any thread. */
  void leave() {
    var unused = channel.close();
  }

  /** Stops the reading of the socket, until the last of the reasons is gone. */
  void stopReading(Stop why) {
    if (stops.add(why)) {
      channel.config().setAutoRead(false);
    }
  }

  /** Reads the socket on, unless there is another reason not to. */
  void resumeReading(Stop why) {
    if (stops.remove(why) && stops.isEmpty()) {
      channel.config().setAutoRead(true);
    }
  }

  /**
   * Returns whether the socket may be read. If not, it stops the reading again, which Vert.x starts
   * by itself after it has stopped it.
   */
  boolean checkReading() {
    if (!stops.isEmpty()) {
      channel.config().setAutoRead(false);
    }
    return stops.isEmpty();
  }

  /**
   * Closes the connection at once if it has no request under way, and after its answers otherwise.
   * Safe for any thread.
   */
  void stop() {
    channel.eventLoop().execute(() -> onStop.run());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls == null) {
      patience = ctx.executor().schedule(this::leave, times.idle(), TimeUnit.NANOSECONDS);
    } else { // Vert.x limits the time of the handshake
      // The listener runs in a task of its own, after Vert.x has added its handlers.
      tls.handshakeFuture()
          .addListener(
              done -> {
                if (done.isSuccess()) {
                  ctx.executor().execute(() -> beginAfterTls(ctx));
                }
              });
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    if (patience != null) {
      patience.cancel(false);
    }
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (ctx.pipeline().get(SslHandler.class) != null) {
      beginAfterTls(ctx);
      return;
    }
    int bytes = Math.min(in.readableBytes(), PREFACE.readableBytes());
    boolean isPreface = true;
    for (int i = 0; i < bytes && isPreface; i++) {
      isPreface = in.getByte(in.readerIndex() + i) == PREFACE.getByte(i);
    }
    if (!isPreface) {
      ctx.fireChannelRead(EMPTY_LINE.duplicate());
      begin(ctx);
    } else if (bytes == PREFACE.readableBytes()) {
      ctx.fireChannelRead(in.readRetainedSlice(bytes));
      begin(ctx);
    }
  }

  /** Closes a plain connection that its client has reset; Vert.x would log that. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException && ctx.pipeline().get(SslHandler.class) == null) {
      leave();
    } else {
      ctx.fireExceptionCaught(cause);
    }
  }

  private void beginAfterTls(ChannelHandlerContext ctx) {
    if (!ctx.isRemoved() && channel.isActive()) {
      begin(ctx);
    }
  }

  /** Begins the protocol for which Vert.x has added its handlers. */
  private void begin(ChannelHandlerContext ctx) {
    ChannelPipeline pipeline = ctx.pipeline();
    Http2ConnectionHandler codec = pipeline.get(Http2ConnectionHandler.class);
    onStop =
        codec != null
            ? Http2Watch.begin(channel, codec, this)
            : Http1Watch.begin(ctx, headerBytesMax, this);
    pipeline.remove(this); // removal passes on all bytes
  }
}
