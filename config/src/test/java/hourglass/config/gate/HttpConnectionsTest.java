package hourglass.config.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.SharedRoom;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpConnectionsTest {
  private static final int NO_TASK = -1;
  private static final String WHOLE = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  private final HttpConnections connections =
      new HttpConnections(1, RequestMemory.of(1 << 20), 8 << 10, Duration.ofMinutes(1));

  /** A connection with the handlers of HTTP/1 that Vert.x adds. */
  private static EmbeddedChannel channel() {
    return new EmbeddedChannel(new HttpRequestDecoder(), new HttpResponseEncoder());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PRI *", "GET / HTTP/1.1\r\nHo", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"})
  void aClosedConnectionLeavesNoTimer(String sent) {
    EmbeddedChannel channel = channel();
    connections.add(channel);
    channel.writeInbound(Unpooled.copiedBuffer(sent, ISO_8859_1));
    assertThat(channel.runScheduledPendingTasks()).isPositive();

    channel.pipeline().close(); // as Netty does; the channel itself would end all timers
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.runScheduledPendingTasks()).isEqualTo(NO_TASK);
    channel.releaseInbound();
  }

  @Test
  void aRefusalLeavesNoTimerBehindItsConnection() {
    EmbeddedChannel channel = channel();
    connections.add(channel);
    write(channel, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n");
    channel.runPendingTasks();
    assertThat(channel.isOpen()).as("while the client may read the refusal").isTrue();
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.runScheduledPendingTasks()).isEqualTo(NO_TASK);
    channel.finishAndReleaseAll();
  }

  @Test
  void aLateGraceLeavesNoTimerBehindItsConnection() {
    EmbeddedChannel channel = channel();
    connections.add(channel);
    write(channel, WHOLE);
    channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    channel.pipeline().close();
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    assertThat(channel.runScheduledPendingTasks()).isEqualTo(NO_TASK);
    channel.finishAndReleaseAll();
  }

  /** Without a request there is nobody to tell, and Vert.x would log an error. */
  @ParameterizedTest
  @ValueSource(strings = {"", "G", "PRI *", "GET / HTTP/1.1\r\nHo"})
  void aResetWithoutARequestClosesQuietly(String sent) {
    EmbeddedChannel channel = channel();
    connections.add(channel);
    write(channel, sent);
    channel.pipeline().fireExceptionCaught(new SocketException("Connection reset"));
    channel.runPendingTasks();
    assertThat(channel.isOpen()).isFalse();
    channel.checkException();
  }

  @Test
  void aResetWithinARequestIsPassedOn() {
    EmbeddedChannel channel = channel();
    connections.add(channel);
    write(channel, WHOLE);
    channel.pipeline().fireExceptionCaught(new SocketException("Connection reset"));
    assertThatThrownBy(channel::checkException).hasMessage("Connection reset");
    channel.finishAndReleaseAll();
  }

  @Test
  void aStopAfterTheCloseDoesNothing() {
    EmbeddedChannel channel = channel();
    ConnectionGate gate =
        new ConnectionGate(
            channel,
            RequestMemory.of(1 << 20).open("127.0.0.1"),
            8 << 10,
            WatchTimes.of(Duration.ofMinutes(1)),
            () -> true);
    gate.mount();
    write(channel, "GET / HTTP/1.1\r\nHo");
    channel.pipeline().close();
    gate.stop();
    channel.runPendingTasks();
    channel.checkException();
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void framesAreReadOnAfterAStopDuringTheUpgrade() {
    EmbeddedChannel channel = channel();
    connections.add(channel);
    write(channel, WHOLE);
    channel.releaseInbound();
    connections.stop();
    channel.runPendingTasks();
    channel.pipeline().remove(HttpRequestDecoder.class); // as an upgrade does
    channel.writeOutbound(
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER));
    write(channel, "frame");
    ByteBuf frame = channel.readInbound();
    assertThat(frame.toString(ISO_8859_1)).isEqualTo("frame");
    frame.release();
    channel.finishAndReleaseAll();
  }

  @Test
  void anAnswerKeepsTheMemoryOfTheHeadThatArrives() {
    SharedRoom room = RequestMemory.of(1 << 20);
    EmbeddedChannel channel = channel();
    new HttpConnections(1, room, 8 << 10, Duration.ofMinutes(1)).add(channel);
    write(channel, WHOLE + "GET / HTTP/1.1\r\nHost: a\r\nX-Filler: " + "x".repeat(6_000));
    assertThat(room.total()).isGreaterThan(6_000);
    channel.writeOutbound(answer());
    assertThat(room.total()).isGreaterThan(6_000);
    write(channel, "\r\n\r\n");
    channel.writeOutbound(answer());
    assertThat(room.total()).isZero();
    channel.finishAndReleaseAll();
  }

  /** A look at the connection retains the message that is being sent. */
  @Test
  void anAnswerIsReleasedWhenItIsSent() {
    AtomicBoolean isRead = new AtomicBoolean(true);
    EmbeddedChannel channel =
        new EmbeddedChannel(new HttpRequestDecoder(), new HttpResponseEncoder()) {
          @Override
          protected void doWrite(ChannelOutboundBuffer in) throws Exception {
            if (isRead.get()) {
              super.doWrite(in);
            }
          }
        };
    channel.freezeTime();
    connections.add(channel);
    write(channel, WHOLE);
    ByteBuf body = Unpooled.directBuffer().writeZero(1 << 20);
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    HttpUtil.setContentLength(head, body.readableBytes());
    channel.writeAndFlush(head);
    isRead.set(false);
    channel.writeAndFlush(new DefaultLastHttpContent(body));
    channel.advanceTimeBy(10, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    isRead.set(true);
    channel.flush();
    channel.releaseOutbound();
    assertThat(body.refCnt()).isZero();
    channel.finishAndReleaseAll();
  }

  private static DefaultFullHttpResponse answer() {
    DefaultFullHttpResponse answer =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    HttpUtil.setContentLength(answer, 0);
    return answer;
  }

  private static void write(EmbeddedChannel channel, String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, ISO_8859_1));
  }

  @Test
  void aConnectionThatIsAlreadyClosedTakesNoPlace() {
    EmbeddedChannel closed = channel();
    closed.close();
    connections.add(closed);
    EmbeddedChannel next = channel();
    connections.add(next);
    next.runPendingTasks();
    assertThat(next.isOpen()).isTrue();
    next.finishAndReleaseAll();
  }

  @Test
  void aConnectionAfterTheStopIsClosed() {
    connections.stop();
    EmbeddedChannel late = channel();
    connections.add(late);
    late.runPendingTasks();
    assertThat(late.isOpen()).isFalse();
  }
}
