package hourglass.config.gate;

import hourglass.access.SharedRoom;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2LocalFlowController;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Watches one HTTP/2 connection: its requests, idle and slow clients, and the rest of bodies after
 * their answers. It resets a stream where {@link Http1Watch} would close a connection. Used by one
 * event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel
final class Http2Watch extends Http2ConnectionAdapter {
  /**
   * The most bytes of a body that are dropped after its answer begins; beyond them its stream is
   * reset. A lower limit would break the client of JDK 17, which overlooks the reset and would wait
   * for a window. The limit equals the largest body of a push by default.
   */
  private static final long DROPPED_BYTES_MAX = 64 << 20;

  private final Channel channel;
  private final Http2ConnectionHandler codec;
  private final ConnectionGate gate;
  private final SharedRoom.Account memory;
  private final WatchTimes times;
  private final Http2Connection connection;
  private final Http2Connection.PropertyKey key;
  private final SendProgress sends = new SendProgress();
  private final long startNanos = System.nanoTime();

  /** Whether the client has sent its settings, with which HTTP/2 begins. */
  private boolean begun;

  /** The time when the client last widened the window of the whole connection. */
  private long widenedNanos = System.nanoTime();

  /** The progress of one stream. */
  private static final class Progress {
    private boolean hasHead;

    /** The memory of its fields. */
    private long headBytes;

    /** The memory of the part of its body that waits to be read. */
    private int unreadBytes;

    /**
     * The time when the client last sent a part of its body or widened the window of the answer.
     */
    private long clientNanos = System.nanoTime();

    /** The time when the client last had to wait for this server to read. */
    private long heldNanos = clientNanos;

    private boolean wasHeld;

    /** The time when the answer ended. Valid once it has ended. */
    private long answeredNanos;

    /** The bytes of the body that were dropped since the answer began. */
    private long droppedBytes;
  }

  private Http2Watch(Channel channel, Http2ConnectionHandler codec, ConnectionGate gate) {
    this.channel = channel;
    this.codec = codec;
    this.gate = gate;
    memory = gate.memory();
    times = gate.times();
    connection = codec.connection();
    key = connection.newKey();
  }

  /** Watches a connection whose codec has read no frame. Returns the action that stops it. */
  static Runnable begin(Channel channel, Http2ConnectionHandler codec, ConnectionGate gate) {
    Http2Watch watch = new Http2Watch(channel, codec, gate);
    watch.start();
    return watch::stop;
  }

  private void start() {
    // Without this, the codec would apply the limit only after the client acknowledges the
    // settings.
    connection.remote().maxActiveStreams(Http2Limits.STREAMS_MAX);
    connection.addListener(this);
    checkFrames();
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.addAfter(pipeline.context(codec).name(), null, new WaitingStreams());
    Future<?> looks =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(this::look, times.look(), times.look(), TimeUnit.NANOSECONDS);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              looks.cancel(false);
              sends.end();
            });
  }

  /**
   * Closes the connection if it has no request under way. Otherwise Vert.x announces its end, after
   * which the codec ignores new streams, and closes it after the last one.
   */
  private void stop() {
    if (connection.numActiveStreams() == 0) {
      channel.close();
    }
  }

  private void checkFrames() {
    codec.decoder().frameListener(new Frames(codec.decoder().frameListener()));
  }

  /**
   * Wakes the streams that began while the channel was full. Under TLS the codec notices a full
   * channel with a delay. If the channel has room again by then, the codec sees no change, and
   * Vert.x waits for ever to write the answers of these streams (Netty 4.2.13).
   */
  private final class WaitingStreams extends ChannelInboundHandlerAdapter {
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
      if (ctx.channel().isWritable()) {
        Http2RemoteFlowController windows = codec.encoder().flowController();
        connection.forEachActiveStream(
            stream -> {
              windows.incrementWindowSize(stream, 0); // reports a change, if there is one
              return true;
            });
      }
      super.channelWritabilityChanged(ctx);
    }
  }

  @Override
  public void onStreamActive(Http2Stream stream) {
    stream.setProperty(key, new Progress());
    gate.use();
  }

  @Override
  public void onStreamHalfClosed(Http2Stream stream) {
    if (!stream.state().localSideOpen()) {
      progress(stream).answeredNanos = System.nanoTime();
    }
  }

  @Override
  public void onStreamClosed(Http2Stream stream) {
    memory.give(progress(stream).headBytes + progress(stream).unreadBytes);
    if (connection.numActiveStreams() == 0) {
      gate.rest();
      sends.end();
    }
  }

  private Progress progress(Http2Stream stream) {
    return stream.getProperty(key);
  }

  /** Checks frames before Vert.x reads them. */
  private final class Frames extends Http2FrameListenerDecorator {
    Frames(Http2FrameListener listener) {
      super(listener);
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
        throws Http2Exception {
      super.onSettingsRead(ctx, settings);
      if (!begun) {
        begun = true;
        checkFrames(); // with these settings Vert.x has set another listener
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int streamId, Http2Headers fields, int padding, boolean isEnd)
        throws Http2Exception {
      check(streamId, fields);
      super.onHeadersRead(ctx, streamId, fields, padding, isEnd);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers fields,
        int streamDependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean isEnd)
        throws Http2Exception {
      check(streamId, fields);
      super.onHeadersRead(
          ctx, streamId, fields, streamDependency, weight, exclusive, padding, isEnd);
    }

    private void check(int streamId, Http2Headers fields) throws Http2Exception {
      if (gate.isEvicted()) {
        throw Http2Exception.streamError(
            streamId, Http2Error.REFUSED_STREAM, "another client got the place");
      }
      if (fields.size() > HeadLines.HEADERS_MAX) { // answered like a list of too many bytes
        throw Http2Exception.headerListSizeError(
            streamId,
            Http2Error.PROTOCOL_ERROR,
            true,
            "%d fields, want at most %d",
            fields.size(),
            HeadLines.HEADERS_MAX);
      }
      Progress progress = progress(connection.stream(streamId));
      if (!progress.hasHead && gate.isStopping()) {
        throw Http2Exception.streamError(
            streamId, Http2Error.REFUSED_STREAM, "the server is stopping");
      }
      takeMemory(streamId, progress, fields);
      if (!progress.hasHead) { // no code reads the fields of trailers
        progress.hasHead = true;
        Http2Fields.check(streamId, fields);
      }
    }

    private void takeMemory(int streamId, Progress progress, Http2Headers fields)
        throws Http2Exception {
      long bytes = progress.hasHead ? 0 : RequestMemory.STREAM_BYTES;
      for (Map.Entry<CharSequence, CharSequence> field : fields) {
        bytes += field.getKey().length() + field.getValue().length();
      }
      if (!memory.tryTake(bytes)) {
        // After trailers, the request may have been carried out, so the client cannot safely retry
        // it.
        throw Http2Exception.streamError(
            streamId,
            progress.hasHead ? Http2Error.ENHANCE_YOUR_CALM : Http2Error.REFUSED_STREAM,
            RequestMemory.REFUSAL);
      }
      progress.headBytes += bytes;
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean isEnd)
        throws Http2Exception {
      Http2Stream stream = connection.stream(streamId);
      Progress progress = progress(stream);
      int bytes = data.readableBytes() + padding;
      if (data.isReadable()) { // an empty frame is no progress
        progress.clientNanos = System.nanoTime();
      }
      int consumed = super.onDataRead(ctx, streamId, data, padding, isEnd);
      if (stream.isHeadersSent() && !isEnd) {
        drop(stream, progress, bytes);
      }
      takeUnread(stream, progress, consumed);
      return consumed;
    }

    /**
     * Reserves memory for the bytes that a paused route has not read, and resets the stream if
     * there is no memory left.
     */
    private void takeUnread(Http2Stream stream, Progress progress, int consumed) {
      int unread = codec.decoder().flowController().unconsumedBytes(stream) - consumed;
      int more = unread - progress.unreadBytes;
      if (more > 0 && !memory.tryTake(more)) {
        reset(stream, Http2Error.ENHANCE_YOUR_CALM);
      } else {
        memory.give(-more);
        progress.unreadBytes = unread;
      }
    }

    /**
     * Counts bytes of a body whose answer has begun, and so does not depend on them. Resets the
     * stream if there are too many.
     */
    private void drop(Http2Stream stream, Progress progress, int bytes) {
      progress.droppedBytes += bytes;
      if (progress.droppedBytes > DROPPED_BYTES_MAX) {
        boolean isAnswered = !stream.state().localSideOpen();
        reset(stream, isAnswered ? Http2Error.NO_ERROR : Http2Error.CANCEL);
      }
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment)
        throws Http2Exception {
      Http2Stream stream = connection.stream(streamId);
      if (streamId == Http2CodecUtil.CONNECTION_STREAM_ID) {
        widenedNanos = System.nanoTime();
      } else if (stream != null && stream.getProperty(key) != null) {
        progress(stream).clientNanos = System.nanoTime();
      }
      super.onWindowUpdateRead(ctx, streamId, increment);
    }
  }

  private void reset(Http2Stream stream, Http2Error error) {
    ChannelHandlerContext ctx = channel.pipeline().context(codec);
    codec.resetStream(ctx, stream.id(), error.code(), ctx.newPromise());
    ctx.flush();
  }

  private void look() {
    long now = System.nanoTime();
    if (sends.look(channel, now) && now - sends.takenNanos() >= times.idle()) {
      channel.pipeline().firstContext().close(); // drops bytes that the client may never read
    } else if (!begun) {
      if (now - startNanos >= times.head()) {
        channel.close();
      }
    } else if (connection.numActiveStreams() == 0) {
      if (now - gate.idleSince() >= times.idle()) { // pings do not keep a connection open
        channel.close();
      }
    } else {
      lookAtStreams(now);
    }
  }

  private void lookAtStreams(long now) {
    List<Http2Stream> streams = new ArrayList<>();
    try {
      connection.forEachActiveStream(streams::add);
    } catch (Http2Exception e) {
      throw new IllegalStateException(e); // adding to a list never throws this
    }
    for (Http2Stream stream : streams) {
      Progress progress = progress(stream);
      boolean isReceiving = stream.state().remoteSideOpen();
      boolean isHeld = isHeld(stream);
      if (isHeld || progress.wasHeld) {
        progress.heldNanos = now; // the wait ended since the last check, perhaps just now
      }
      progress.wasHeld = isHeld;
      if (!stream.state().localSideOpen()) {
        // The stream is not reset sooner, for the reason given at DROPPED_BYTES_MAX.
        if (now - progress.answeredNanos >= times.drop()) {
          reset(stream, Http2Error.NO_ERROR);
        }
      } else if (isWaitedFor(stream, isReceiving)
          && now - lastOfClient(stream, progress) >= times.idle()) {
        reset(stream, Http2Error.CANCEL);
      }
    }
  }

  /**
   * Returns whether the server waits for the client to send a part of its body or to widen a
   * window.
   */
  private boolean isWaitedFor(Http2Stream stream, boolean isReceiving) {
    return isSending(stream) || isReceiving && !stream.isHeadersSent();
  }

  /** Returns whether the client waits for this server to read, which would widen a window. */
  private boolean isHeld(Http2Stream stream) {
    Http2LocalFlowController windows = codec.decoder().flowController();
    return windows.unconsumedBytes(stream) > 0
        || windows.windowSize(connection.connectionStream()) <= 0;
  }

  private boolean isSending(Http2Stream stream) {
    Http2RemoteFlowController windows = codec.encoder().flowController();
    return windows.hasFlowControlled(stream) || !windows.isWritable(stream);
  }

  private long lastOfClient(Http2Stream stream, Progress progress) {
    return Math.max(progress.clientNanos, isSending(stream) ? widenedNanos : progress.heldNanos);
  }
}
