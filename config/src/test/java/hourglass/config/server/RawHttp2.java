package hourglass.config.server;

import hourglass.testing.Patience;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** One connection of HTTP/2 that sends what it is told, right or wrong, and shows all it gets. */
final class RawHttp2 implements AutoCloseable {
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final Frames frames = new Frames();
  private final Channel channel;

  /** Used by the event loop. */
  private final List<Stream> streams = new ArrayList<>();

  /** The end of one stream, as its client sees it. */
  record End(List<Http2Headers> heads, String body, boolean isClean, long error) {
    String status() {
      return heads.get(0).status().toString();
    }
  }

  /** A stream, with its frames in their order. */
  static final class Stream {
    private static final Object CLOSED = new Object();

    private final BlockingQueue<Object> frames = new LinkedBlockingQueue<>();
    private Http2FrameStream stream;
  }

  RawHttp2(URI server, String localAddress, Http2Settings settings) throws Exception {
    this(server, localAddress, settings, null);
  }

  /**
   * @param trusted null: without TLS
   */
  RawHttp2(URI server, String localAddress, Http2Settings settings, @Nullable SSLContext trusted)
      throws Exception {
    Http2FrameCodec codec =
        Http2FrameCodecBuilder.forClient()
            .validateHeaders(false)
            .initialSettings(settings)
            .autoAckSettingsFrame(false) // nor are they heeded then
            .build();
    channel =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel opened) {
                    if (trusted != null) {
                      opened.pipeline().addLast(tls(trusted).newHandler(opened.alloc()));
                    }
                    opened.pipeline().addLast(codec, frames);
                  }
                })
            .connect(
                new InetSocketAddress("127.0.0.1", server.getPort()),
                new InetSocketAddress(InetAddress.getByName(localAddress), 0))
            .sync()
            .channel();
  }

  private static SslContext tls(SSLContext trusted) {
    ApplicationProtocolConfig offered =
        new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);
    return new JdkSslContext(
        trusted,
        true,
        null,
        IdentityCipherSuiteFilter.INSTANCE,
        offered,
        ClientAuth.NONE,
        null,
        false);
  }

  static Http2Headers get(String path) {
    return new DefaultHttp2Headers(false)
        .method("GET")
        .scheme("http")
        .path(path)
        .authority("localhost");
  }

  /** Fields in any case, twice or none. */
  static Http2Headers post(String path) {
    return get(path).method("POST");
  }

  Stream send(Http2Headers head, boolean isEnd) throws Exception {
    return sendAtOnce(List.of(head), isEnd).get(0);
  }

  /** Sends all heads in one packet, and with TLS in one record. */
  List<Stream> sendAtOnce(List<Http2Headers> heads, boolean isEnd) throws Exception {
    return channel
        .eventLoop()
        .submit(
            () -> {
              List<Stream> all = new ArrayList<>();
              for (Http2Headers head : heads) {
                Stream sent = new Stream();
                all.add(sent);
                if (!channel.isOpen()) { // its handlers are gone too, or soon will be
                  sent.frames.add(Stream.CLOSED);
                  continue;
                }
                sent.stream = frames.newStream();
                channel.write(new DefaultHttp2HeadersFrame(head, isEnd).stream(sent.stream));
              }
              streams.addAll(all);
              channel.flush();
              return all;
            })
        .sync()
        .getNow();
  }

  /** Lets the server send so many more bytes, on all streams together. */
  void widen(int bytes) {
    channel.writeAndFlush(new DefaultHttp2WindowUpdateFrame(bytes)).syncUninterruptibly();
  }

  void send(Stream stream, String body, boolean isEnd) {
    channel.writeAndFlush(
        new DefaultHttp2DataFrame(Unpooled.copiedBuffer(body, StandardCharsets.ISO_8859_1), isEnd)
            .stream(stream.stream));
  }

  void sendTrailers(Stream stream, Http2Headers trailers) {
    channel.writeAndFlush(new DefaultHttp2HeadersFrame(trailers, true).stream(stream.stream));
  }

  void reset(Stream stream) {
    channel.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(stream.stream));
  }

  /** Waits for the end of a stream, or of the connection. */
  End end(Stream stream) throws InterruptedException {
    List<Http2Headers> heads = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    while (true) {
      Object frame = stream.frames.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      if (frame == null) {
        throw new AssertionError("no end within " + PATIENCE_MILLIS + " ms: " + heads + body);
      }
      boolean isEnd = false;
      if (frame instanceof Http2HeadersFrame head) {
        heads.add(head.headers());
        isEnd = head.isEndStream();
      } else if (frame instanceof String data) {
        body.append(data);
      } else if (frame instanceof Boolean) {
        isEnd = true;
      } else if (frame instanceof Http2ResetFrame reset) {
        return new End(heads, body.toString(), false, reset.errorCode());
      } else {
        return new End(heads, body.toString(), false, -1);
      }
      if (isEnd) {
        return new End(heads, body.toString(), true, 0);
      }
    }
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  void awaitClose() {
    channel.closeFuture().awaitUninterruptibly(PATIENCE_MILLIS);
  }

  @Override
  public void close() {
    channel.close().awaitUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private final class Frames extends Http2ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2DataFrame data) {
        Stream stream = of(data.stream());
        stream.frames.add(data.content().toString(StandardCharsets.ISO_8859_1));
        if (data.isEndStream()) {
          stream.frames.add(true);
        }
        ctx.write(
            new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes())
                .stream(data.stream()));
      } else if (message instanceof Http2HeadersFrame head) {
        of(head.stream()).frames.add(head);
      } else if (message instanceof Http2ResetFrame reset) {
        of(reset.stream()).frames.add(reset);
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      streams.forEach(stream -> stream.frames.add(Stream.CLOSED));
    }

    private Stream of(Http2FrameStream stream) {
      return streams.stream().filter(sent -> sent.stream == stream).findFirst().orElseThrow();
    }
  }
}
