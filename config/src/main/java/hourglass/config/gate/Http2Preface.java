package hourglass.config.gate;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.util.List;

/**
 * Begins HTTP/2 if the first bytes of a connection are the preface of RFC 9113, section 3.4, and
 * HTTP/1 otherwise. An offer to upgrade to HTTP/2 is ignored, so a POST with one keeps its body.
 */
final class Http2Preface extends ByteToMessageDecoder {
  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  private final Runnable begin;

  /**
   * Creates a handler that calls {@code begin} once it has seen the preface, which the codec of
   * HTTP/2 then reads.
   */
  Http2Preface(Runnable begin) {
    this.begin = begin;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    int bytes = Math.min(in.readableBytes(), PREFACE.readableBytes());
    boolean isPreface = true;
    for (int i = 0; i < bytes && isPreface; i++) {
      isPreface = in.getByte(in.readerIndex() + i) == PREFACE.getByte(i);
    }
    if (isPreface && bytes < PREFACE.readableBytes()) {
      return;
    }
    if (isPreface) {
      begin.run();
    }
    ctx.pipeline().remove(this); // removal passes on all bytes
  }
}
