package hourglass.config.gate;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ByteProcessor;
import org.jspecify.annotations.Nullable;

/**
 * Checks the heads and chunks of HTTP/1 before the decoder sees them. It passes on lines that are
 * whole and checked, and bodies as they arrive. Refused input becomes an invalid message with a
 * {@link RefusedRequest}, and nothing after it is read. Used by one event loop.
 */
final class RequestReader extends ChannelInboundHandlerAdapter {
  /** The part of a request that the next byte belongs to. */
  private enum Part {
    HEAD,
    BODY,
    /** Frames of a WebSocket, which are not checked here. */
    FRAMES,
    /** The input was refused, so nothing more is read. */
    NONE
  }

  /** The line ending, which the decoder does not count. */
  private static final int CRLF_BYTES = 2;

  private final int lineBytesMax;
  private final HeadMemory memory;

  private Part part = Part.HEAD;
  private HeadLines head = new HeadLines();

  /** The chunks of the current body, or null if its length is known. */
  private @Nullable ChunkLines chunks;

  /** The bytes of the body, of a length known beforehand, that have not arrived. */
  private long bodyLeft;

  /** A copy of the part of a line that has arrived, or null. The limit of a line bounds it. */
  private @Nullable ByteBuf partOfLine;

  private long readNanos = System.nanoTime();
  private boolean headBegun;
  private long headSinceNanos;

  /** The bytes of the head that is arriving, whose lines are whole. */
  private long headBytes;

  /**
   * Creates a reader that reserves {@code memory} for heads; the caller notes their answers.
   *
   * @param lineBytesMax the length of a line above which the decoder refuses it
   */
  RequestReader(int lineBytesMax, HeadMemory memory) {
    this.lineBytesMax = lineBytesMax;
    this.memory = memory;
  }

  /** Returns the time when the client's last bytes were read. */
  long readNanos() {
    return readNanos;
  }

  boolean isInsideHead() {
    return part == Part.HEAD && headBegun;
  }

  /** Returns the time when the current head began. Valid if {@link #isInsideHead}. */
  long headSinceNanos() {
    return headSinceNanos;
  }

  /** Drops everything that follows. */
  void stop() {
    part = Part.NONE;
  }

  /** Passes on everything that follows, since a WebSocket takes the place of HTTP. */
  void beginWebSocket() {
    part = Part.FRAMES;
  }

  boolean isWebSocket() {
    return part == Part.FRAMES;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    readNanos = System.nanoTime();
    ByteBuf in = withPartOfLine(ctx, (ByteBuf) message);
    try {
      read(ctx, in);
    } finally {
      in.release();
    }
  }

  /** Returns the bytes after those of their line that arrived before. Takes their ownership. */
  private ByteBuf withPartOfLine(ChannelHandlerContext ctx, ByteBuf bytes) {
    ByteBuf before = partOfLine;
    if (before == null) {
      return bytes;
    }
    partOfLine = null;
    try {
      int length = before.readableBytes() + bytes.readableBytes();
      return ctx.alloc().buffer(length).writeBytes(before).writeBytes(bytes);
    } finally {
      before.release();
      bytes.release();
    }
  }

  private void read(ChannelHandlerContext ctx, ByteBuf in) {
    int end = in.readerIndex();
    try {
      for (int next = check(in, end); next > end; next = check(in, end)) {
        end = next;
        if (part == Part.HEAD && !headBegun) {
          passOn(ctx, in, end); // after this request another protocol may begin
        }
      }
      keepPartOfLine(ctx, in, end);
    } catch (RefusedRequest e) {
      HttpObject invalid = invalid(e);
      stop();
      passOn(ctx, in, end);
      ctx.pipeline().context(HttpRequestDecoder.class).fireChannelRead(invalid);
    }
  }

  /** Passes on the bytes before {@code end}. */
  private static void passOn(ChannelHandlerContext ctx, ByteBuf in, int end) {
    if (end > in.readerIndex()) {
      ctx.fireChannelRead(in.readRetainedSlice(end - in.readerIndex()));
    }
  }

  /**
   * Passes on the bytes before {@code end}, and keeps a copy of the others: the whole buffer may be
   * much larger.
   */
  private void keepPartOfLine(ChannelHandlerContext ctx, ByteBuf in, int end) {
    int bytes = in.writerIndex() - end;
    if (bytes > lineBytesMax + CRLF_BYTES && part != Part.NONE) {
      stop();
      passOn(ctx, in, in.writerIndex()); // the decoder refuses so long a line
      return;
    }
    if (bytes > 0 && part != Part.NONE && !ctx.isRemoved()) {
      memory.keepArriving(headBytes + bytes);
      partOfLine = ctx.alloc().buffer(bytes).writeBytes(in, end, bytes);
    }
    passOn(ctx, in, end);
  }

  /**
   * Checks one part from a position of the buffer. Returns the position up to which it has arrived
   * and can be passed on.
   */
  private int check(ByteBuf in, int from) {
    return switch (part) {
      case HEAD -> checkHead(in, from);
      case BODY -> chunks == null ? checkBody(in, from) : checkChunks(chunks, in, from);
      case FRAMES -> in.writerIndex();
      case NONE -> from;
    };
  }

  private int checkHead(ByteBuf in, int from) {
    if (from == in.writerIndex()) {
      return from;
    }
    // Some clients end a body with an empty line, which does not begin a request.
    if (!headBegun
        && in.forEachByte(from, in.writerIndex() - from, ByteProcessor.FIND_NON_CRLF) >= 0) {
      headBegun = true;
      headSinceNanos = readNanos;
    }
    int end = head.read(in, from);
    headBytes += end - from;
    memory.keepArriving(headBytes);
    if (head.isWhole()) {
      memory.endHead(headBytes);
      headBytes = 0;
      bodyLeft = head.bodyBytes();
      if (head.isChunked()) {
        part = Part.BODY;
        chunks = new ChunkLines();
      } else if (bodyLeft > 0) {
        part = Part.BODY;
      } else {
        beginHead();
      }
    }
    return end;
  }

  private int checkBody(ByteBuf in, int from) {
    int bytes = (int) Math.min(bodyLeft, in.writerIndex() - from);
    bodyLeft -= bytes;
    if (bodyLeft == 0) {
      beginHead();
    }
    return from + bytes;
  }

  private int checkChunks(ChunkLines lines, ByteBuf in, int from) {
    int end = lines.read(in, from);
    if (lines.areWhole()) {
      beginHead();
    }
    return end;
  }

  private void beginHead() {
    part = Part.HEAD;
    head = new HeadLines();
    chunks = null;
    headBegun = false;
    memory.keepArriving(0);
  }

  private HttpObject invalid(RefusedRequest why) {
    HttpObject invalid =
        part == Part.HEAD
            ? new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request")
            : new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
    invalid.setDecoderResult(DecoderResult.failure(why));
    return invalid;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (partOfLine != null) {
      partOfLine.release();
      partOfLine = null;
    }
  }
}
