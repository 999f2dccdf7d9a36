package hourglass.config.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.SharedRoom;
import hourglass.testing.MutatedRequests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestReaderTest {
  private static final int CASES = 400;

  private static final int LINE_BYTES_MAX = 8 << 10;

  private static final String CHUNKED_TO_TRAILERS =
      "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n";

  private static RequestReader reader() {
    return new RequestReader(
        LINE_BYTES_MAX, new HeadMemory(RequestMemory.of(1 << 20).open("127.0.0.1")));
  }

  /** A connection with the decoder that Vert.x uses. */
  private static EmbeddedChannel channel(RequestReader reader) {
    HttpDecoderConfig limits =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(LINE_BYTES_MAX)
            .setMaxHeaderSize(LINE_BYTES_MAX);
    return new EmbeddedChannel(reader, new HttpRequestDecoder(limits));
  }

  /** Requests and refusals are the same in any pieces. */
  @Test
  void requestsInPiecesAreReadAlike() {
    Random random = new Random(16);
    MutatedRequests requests = new MutatedRequests(random);
    for (int i = 0; i < CASES; i++) {
      byte[] bytes = requests.next();
      String whole = read(bytes, bytes.length, random);
      assertThat(read(bytes, 1 + random.nextInt(20), random))
          .as(new String(bytes, ISO_8859_1))
          .isEqualTo(whole);
    }
  }

  /** Each read ends inside the size of a chunk. */
  @Test
  void onlyThePartOfALineIsKept() {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
    EmbeddedChannel channel = channel(reader());
    channel.config().setAllocator(allocator);
    String next = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n40";
    for (int i = 0; i < 100; i++) {
      channel.writeInbound(allocator.buffer().writeBytes(next.getBytes(ISO_8859_1)));
      next = "0\r\n" + "x".repeat(0x400) + "\r\n40";
      channel.inboundMessages().forEach(ReferenceCountUtil::release);
      channel.inboundMessages().clear();
      assertThat(allocator.metric().usedHeapMemory()).as("after read %s", i).isLessThan(100);
    }
    channel.finishAndReleaseAll();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
  }

  @Test
  void thePartOfALineReservesMemory() {
    String part = "x".repeat(RequestMemory.USUAL_BYTES);
    for (String before : List.of("", "Transfer-Encoding: chunked\r\n\r\n1;", CHUNKED_TO_TRAILERS)) {
      SharedRoom.Account memory = RequestMemory.of(1 << 20).open("127.0.0.1");
      EmbeddedChannel channel = channel(new RequestReader(LINE_BYTES_MAX, new HeadMemory(memory)));
      write(channel, "POST / HTTP/1.1\r\nHost: a\r\n" + before + part);
      assertThat(memory.held()).as(before).isGreaterThan(part.length());
      channel.finishAndReleaseAll();
    }
  }

  @Test
  void aReadIsReleasedIfItsCheckFails() {
    EmbeddedChannel channel = channel(reader());
    ByteBuf unreadable =
        new UnpooledHeapByteBuf(UnpooledByteBufAllocator.DEFAULT, 16, 16) {
          @Override
          public int indexOf(int from, int to, byte value) {
            throw new IllegalStateException("unreadable");
          }
        };
    unreadable.writeCharSequence("GET /", ISO_8859_1);
    assertThatThrownBy(() -> channel.writeInbound(unreadable)).hasMessage("unreadable");
    assertThat(unreadable.refCnt()).isZero();
    channel.finishAndReleaseAll();
  }

  @Test
  void anEmptyLineAfterABodyBeginsNoHead() {
    RequestReader reader = reader();
    EmbeddedChannel channel = channel(reader);
    write(channel, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx\r\n");
    write(channel, "\r");
    write(channel, "\n");
    assertThat(reader.isInsideHead()).isFalse();
    write(channel, "G");
    assertThat(reader.isInsideHead()).isTrue();
    channel.finishAndReleaseAll();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Authorization: Bearer a\r\nauthorization: Bearer a\r\n",
        "X-API-Key: a\r\nAccept: b\r\nx-api-key: c\r\n",
      })
  void aKeyGivenTwiceIsRefused(String headers) {
    EmbeddedChannel channel = channel(reader());
    write(channel, "GET / HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n");
    HttpObject request = channel.readInbound();
    assertThat(request.decoderResult().cause())
        .isInstanceOfSatisfying(
            RefusedRequest.class,
            refused -> {
              assertThat(refused.status()).isEqualTo(400);
              assertThat(refused.detail()).endsWith(": given more than once, want it once");
            });
    channel.finishAndReleaseAll();
  }

  @Test
  void headersAndTrailersAreCounted() {
    String most = "a:\r\n".repeat(HeadLines.HEADERS_MAX - 2);
    String chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n";
    String trailers = "a:\r\n".repeat(HeadLines.HEADERS_MAX);
    assertThat(statusOf(chunked + most + "\r\n0\r\n" + trailers + "\r\n")).isZero();
    assertThat(statusOf(chunked + most + "a:\r\n\r\n")).isEqualTo(431);
    assertThat(statusOf(chunked + "\r\n0\r\n" + trailers + "a:\r\n\r\n")).isEqualTo(431);
  }

  /** Sends the text in one packet, and byte by byte; returns 0 if it is accepted. */
  private static int statusOf(String text) {
    int whole = statusOf(text, text.length());
    assertThat(statusOf(text, 1)).isEqualTo(whole);
    return whole;
  }

  private static int statusOf(String text, int pieceBytes) {
    EmbeddedChannel channel = channel(reader());
    for (int at = 0; at < text.length(); at += pieceBytes) {
      write(channel, text.substring(at, Math.min(text.length(), at + pieceBytes)));
    }
    int status = 0;
    for (Object read = channel.readInbound(); read != null; read = channel.readInbound()) {
      if (((HttpObject) read).decoderResult().cause() instanceof RefusedRequest refused) {
        assertThat(refused.detail()).endsWith("want at most 200");
        status = refused.status();
      }
      ReferenceCountUtil.release(read);
    }
    channel.finishAndReleaseAll();
    return status;
  }

  private static void write(EmbeddedChannel channel, String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
  }

  private static String read(byte[] bytes, int pieceMax, Random random) {
    StringBuilder read = new StringBuilder();
    EmbeddedChannel channel = channel(reader());
    for (int at = 0, end; at < bytes.length; at = end) {
      end = pieceMax >= bytes.length ? bytes.length : at + 1 + random.nextInt(pieceMax);
      end = Math.min(end, bytes.length);
      channel.writeInbound(Unpooled.copiedBuffer(bytes, at, end - at));
      for (Object message = channel.readInbound();
          message != null;
          message = channel.readInbound()) {
        append(read, (HttpObject) message);
        ReferenceCountUtil.release(message);
      }
    }
    channel.finishAndReleaseAll();
    return read.toString();
  }

  private static void append(StringBuilder read, HttpObject message) {
    if (message.decoderResult().isFailure()) {
      read.append("refused: ").append(message.decoderResult().cause().getClass());
    } else if (message instanceof HttpRequest request) {
      read.append(request.method()).append(' ').append(request.uri());
      request.headers().forEach(header -> read.append('\n').append(header));
    } else if (message instanceof HttpContent content) {
      read.append(content.content().toString(ISO_8859_1));
      read.append(message instanceof LastHttpContent ? "\nend\n" : "");
    }
  }
}
