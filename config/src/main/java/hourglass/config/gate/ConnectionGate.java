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
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Holds the place of one connection, and watches it until its protocol is known. The protocol is
 * HTTP/2 if TLS has negotiated it, or if a plain connection begins with the preface of RFC 9113,
 * section 3.4, and HTTP/1 otherwise. Used by one event loop, but its place by any thread.
 */
final class ConnectionGate extends ByteToMessageDecoder implements SharedPlaces.Holder {
  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  /** An empty line, which may precede a request. It makes Vert.x decode HTTP/1. */
  private static final ByteBuf EMPTY_LINE =
      Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(new byte[] {'\r', '\n'}));

  private final Channel channel;
  private final SharedRoom.Account memory;
  private final int headerBytesMax;
  private final WatchTimes times;
  private final IdleClock idle = new IdleClock();
  private @Nullable ScheduledFuture<?> patience;

  ConnectionGate(Channel channel, SharedRoom.Account memory, int headerBytesMax, WatchTimes times) {
    this.channel = channel;
    this.memory = memory;
    this.headerBytesMax = headerBytesMax;
    this.times = times;
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

  /** Returns the time as {@link IdleClock#idleSince} does. Safe for any thread. */
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
  void leave() {
    var unused = channel.close();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls == null) {
      patience = ctx.executor().schedule(this::leave, times.idle(), TimeUnit.NANOSECONDS);
    } else { // Vert.x limits the time of the handshake
      // In a task of its own, when Vert.x has added its handlers:
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

  private void beginAfterTls(ChannelHandlerContext ctx) {
    if (!ctx.isRemoved() && channel.isActive()) {
      begin(ctx);
    }
  }

  /** Begins the protocol for which Vert.x has added its handlers. */
  private void begin(ChannelHandlerContext ctx) {
    if (patience != null) {
      patience.cancel(false);
    }
    ChannelPipeline pipeline = ctx.pipeline();
    Http2ConnectionHandler codec = pipeline.get(Http2ConnectionHandler.class);
    if (codec != null) {
      Http2Watch.begin(channel, codec, memory, idle, times);
    } else {
      Http1Watch.begin(ctx, headerBytesMax, memory, idle, times);
    }
    pipeline.remove(this); // removal passes on all bytes
  }
}
