package hourglass.config.gate;

import hourglass.access.SharedRoom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ByteProcessor;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.VertxHttpRequestDecoder;
import java.util.List;

/**
 * Decodes requests as Vert.x does, after a strict check of heads and chunks. Refused input becomes
 * an invalid message with a {@link RefusedRequest}, and nothing after it is read. Used by one event
 * loop.
 */
final class RequestDecoder extends VertxHttpRequestDecoder {
  private HeadLines head = new HeadLines();
  private ChunkLines chunks = new ChunkLines();
  private boolean inHead = true;
  private boolean refused;
  private long headSinceNanos;
  private boolean headBegun;
  private long readNanos = System.nanoTime();

  /** The bytes of the current head that were decoded. */
  private long headBytes;

  private final SharedRoom.Account memory;

  /** Creates a decoder that reserves {@code memory} for long heads; the caller releases it. */
  RequestDecoder(HttpServerOptions options, SharedRoom.Account memory) {
    super(options);
    this.memory = memory;
  }

  /** Returns the time when the client's last bytes were read. */
  long readNanos() {
    return readNanos;
  }

  boolean isInsideHead() {
    return inHead && headBegun;
  }

  /** Returns the time when the current head began. Valid if {@link #isInsideHead}. */
  long headSinceNanos() {
    return headSinceNanos;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    readNanos = System.nanoTime();
    super.channelRead(ctx, message);
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (refused) {
      in.skipBytes(in.readableBytes());
      return;
    }
    int before = out.size();
    try {
      if (inHead) {
        decodeHead(ctx, in, out);
      } else if (head.isChunked()) {
        int start = in.readerIndex() + chunks.read(in);
        super.decode(ctx, in, out);
        chunks.consumed(in.readerIndex() - start);
      } else {
        super.decode(ctx, in, out);
      }
    } catch (RefusedRequest e) {
      in.skipBytes(in.readableBytes());
      while (out.size() > before) {
        ReferenceCountUtil.release(out.remove(out.size() - 1));
      }
      out.add(invalid(e));
    }
    for (int i = before; i < out.size(); i++) {
      if (out.get(i) instanceof HttpObject object) {
        decoded(object);
      }
    }
  }

  private void decodeHead(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws Exception {
    // Some clients end a body with an empty line, which does not begin a request.
    if (!headBegun && in.forEachByte(ByteProcessor.FIND_NON_CRLF) >= 0) {
      headBegun = true;
      headSinceNanos = readNanos;
    }
    head.read(in);
    int start = in.readerIndex();
    int before = out.size();
    super.decode(ctx, in, out);
    headBytes += in.readerIndex() - start;
    long rest = out.size() > before ? 0 : in.readableBytes(); // 0: the head has ended
    takeMemory(headBytes + rest);
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
    DecoderResult result = DecoderResult.failure(why);
    if (inHead) {
      HttpMessage request = createInvalidMessage();
      request.setDecoderResult(result);
      return request;
    }
    HttpContent end = new DefaultLastHttpContent(Unpooled.EMPTY_BUFFER);
    end.setDecoderResult(result);
    return end;
  }

  private void decoded(HttpObject object) {
    if (object.decoderResult().isFailure()) {
      refused = true;
    } else if (object instanceof LastHttpContent) {
      inHead = true;
      headBegun = false;
      headBytes = 0;
      head = new HeadLines();
    } else if (object instanceof HttpRequest) {
      inHead = false;
      chunks = new ChunkLines();
    }
  }

  /**
   * Returns a stand-in for a request that cannot be read. It has the version HTTP/1.1, so that its
   * answer has it too.
   */
  @Override
  protected HttpMessage createInvalidMessage() {
    return new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/bad-request");
  }

  @Override
  protected void decodeLast(ChannelHandlerContext ctx, ByteBuf in, List<Object> out)
      throws Exception {
    if (refused) {
      in.skipBytes(in.readableBytes());
    } else {
      super.decodeLast(ctx, in, out);
    }
  }
}
