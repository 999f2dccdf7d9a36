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
 * The decoder of Vert.x, behind a strict reading of heads and chunks. Refused input becomes an
 * invalid message with a {@link RefusedRequest}, and nothing after it is read. Used by one event
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

  /** Bytes of the current head that were decoded. */
  private long headBytes;

  private final SharedRoom.Account memory;

  /** Takes memory for long heads, which the caller gives back. */
  RequestDecoder(HttpServerOptions options, SharedRoom.Account memory) {
    super(options);
    this.memory = memory;
  }

  /** The time of the client's last bytes. */
  long readNanos() {
    return readNanos;
  }

  boolean isInsideHead() {
    return inHead && headBegun;
  }

  /** Valid if {@link #isInsideHead}. */
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
    // Some clients end a body with an empty line, which begins no request.
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

  /** In steps, and none for a usual head. */
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

  /** Stands for a request that cannot be read; of HTTP/1.1, so that its answer is. */
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
