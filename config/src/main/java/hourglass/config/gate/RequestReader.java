package hourglass.config.gate;

import hourglass.access.SharedRoom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
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
    CHUNKS,
    /** Frames of a WebSocket, which are not checked here. */
    FRAMES,
    /** None, because the input was refused. */
    NONE
  }

  /** The line ending, which the decoder does not count. */
  private static final int CRLF_BYTES = 2;

  private final int lineBytesMax;
  private final SharedRoom.Account memory;

  private Part part = Part.HEAD;
  private HeadLines head = new HeadLines();
  private ChunkLines chunks = new ChunkLines();

  /** The bytes of the body, of a length known beforehand, that have not arrived. */
  private long bodyLeft;

  /** The part of a line that has arrived, or null. */
  private @Nullable ByteBuf partOfLine;

  private long readNanos = System.nanoTime();
  private boolean headBegun;
  private long headSinceNanos;

  /** The bytes of the current head's whole lines. */
  private long headBytes;

  /**
   * Creates a reader that reserves {@code memory} for long heads; the caller releases it.
   *
   * @param lineBytesMax the length of a line above which the decoder refuses it
   */
  RequestReader(int lineBytesMax, SharedRoom.Account memory) {
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

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    readNanos = System.nanoTime();
    ByteBuf in = (ByteBuf) message;
    if (partOfLine != null) {
      in = ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(ctx.alloc(), partOfLine, in);
      partOfLine = null;
    }
    int end = in.readerIndex();
    RefusedRequest refusal = null;
    try {
      for (int next = check(in, end); next > end; next = check(in, end)) {
        end = next;
      }
    } catch (RefusedRequest e) {
      refusal = e;
    }
    if (refusal != null) {
      HttpObject invalid = invalid(refusal);
      stop();
      passOn(ctx, in, end);
      ctx.pipeline().context(HttpRequestDecoder.class).fireChannelRead(invalid);
    } else if (in.writerIndex() - end > lineBytesMax + CRLF_BYTES && part != Part.NONE) {
      stop();
      passOn(ctx, in, in.writerIndex()); // the decoder refuses so long a line
    } else {
      passOn(ctx, in, end);
    }
  }

  /** Passes on the bytes before {@code end}. Keeps the others, unless nothing more is read. */
  private void passOn(ChannelHandlerContext ctx, ByteBuf in, int end) {
    if (end == in.writerIndex()) {
      ctx.fireChannelRead(in);
      return;
    }
    ByteBuf checked = in.readRetainedSlice(end - in.readerIndex());
    if (part == Part.NONE) {
      in.release();
    } else {
      partOfLine = in;
    }
    if (checked.isReadable()) {
      ctx.fireChannelRead(checked);
    } else {
      checked.release();
    }
  }

  /**
   * Checks one part from a position of the buffer. Returns the position up to which it has arrived
   * and can be passed on.
   */
  private int check(ByteBuf in, int from) {
    return switch (part) {
      case HEAD -> checkHead(in, from);
      case BODY -> checkBody(in, from);
      case CHUNKS -> checkChunks(in, from);
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
    takeMemory(headBytes + (head.isWhole() ? 0 : in.writerIndex() - end));
    if (head.isWhole()) {
      bodyLeft = head.bodyBytes();
      if (head.isChunked()) {
        part = Part.CHUNKS;
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

  private int checkChunks(ByteBuf in, int from) {
    int end = chunks.read(in, from);
    if (chunks.areWhole()) {
      beginHead();
    }
    return end;
  }

  private void beginHead() {
    part = Part.HEAD;
    head = new HeadLines();
    headBegun = false;
    headBytes = 0;
  }

  /**
   * Reserves memory for a head in steps of {@link RequestMemory#USUAL_BYTES}; a head of usual size
   * reserves none.
   */
  private void takeMemory(long bytes) {
    long steps = (bytes + RequestMemory.USUAL_BYTES - 1) / RequestMemory.USUAL_BYTES;
    long more = steps * RequestMemory.USUAL_BYTES - memory.held();
    if (steps > 1 && more > 0 && !memory.tryTake(more)) {
      throw new RefusedRequest(429, RequestMemory.REFUSAL);
    }
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
