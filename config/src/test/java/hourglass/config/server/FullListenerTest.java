package hourglass.config.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Patience;
import hourglass.testing.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A listener with all its connections open shares them between client addresses. */
class FullListenerTest {
  private static final String FLOODER = "127.0.0.2";
  private static final int CONNECTIONS_MAX = 8;
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;

  private final Promise<Void> release = Promise.promise();
  private final BlockingQueue<String> underWay = new LinkedBlockingQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final VertxRuntime runtime = new VertxRuntime(new SimpleMeterRegistry());
  private HttpListener listener;
  private volatile Context loopOfLast;

  @BeforeEach
  void listen() {
    Router router = Router.router(runtime.vertx());
    router
        .get("/fast")
        .handler(
            ctx -> {
              loopOfLast = Vertx.currentContext();
              ctx.response().end("fast");
            });
    router
        .get("/slow")
        .handler(
            ctx -> {
              underWay.add(ctx.request().path());
              release.future().onSuccess(done -> ctx.response().end("done"));
            });
    listener = HttpListener.listen(runtime, AnyPort.options(CONNECTIONS_MAX), null, router);
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    listener.close();
    runtime.close();
  }

  @Test
  void aFloodLeavesRoomForOtherAddresses() throws Exception {
    List<Socket> flood = flood();

    Socket other = open("127.0.0.3");
    assertThat(ask(other)).isEqualTo("fast");
    assertThat(ask(open("127.0.0.4"))).isEqualTo("fast");

    assertThat(isClosed(open(FLOODER))).isTrue();
    assertThat(isClosed(flood.get(1))).as("idle longest, as its neighbour was used since").isTrue();
    assertThat(isClosed(flood.get(2))).isTrue();
    assertThat(ask(flood.get(0))).isEqualTo("fast");
    assertThat(ask(flood.get(3))).isEqualTo("fast");
    assertThat(ask(other)).isEqualTo("fast");
  }

  @Test
  void aRunningRequestKeepsItsConnection() throws Exception {
    List<Socket> flood = flood();
    for (Socket socket : flood) {
      RawHttp.write(socket, "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(underWay.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isNotNull();
    }

    assertThat(isClosed(open("127.0.0.3"))).isTrue();
    release.complete();
    for (Socket socket : flood) {
      assertThat(answer(socket)).isEqualTo("done");
    }
    assertThat(ask(open("127.0.0.3"))).isEqualTo("fast");
  }

  @Test
  void clientsOfEqualShareLoseNoConnection() throws Exception {
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      ask(open("127.0.0." + (2 + i % 2)));
    }
    assertThat(isClosed(open("127.0.0.2"))).isTrue();
    assertThat(isClosed(open("127.0.0.3"))).isTrue();
    assertThat(ask(open("127.0.0.4"))).isEqualTo("fast");
  }

  /** All places, the first one used last. */
  private List<Socket> flood() throws IOException {
    List<Socket> flood = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS_MAX; i++) {
      flood.add(open(FLOODER));
      assertThat(ask(flood.get(i))).isEqualTo("fast");
      awaitIdle();
    }
    assertThat(ask(flood.get(0))).isEqualTo("fast");
    awaitIdle();
    return flood;
  }

  /** A connection counts as idle a moment after its answer is sent, on its event loop. */
  private void awaitIdle() {
    Promise<Void> idle = Promise.promise();
    loopOfLast.runOnContext(idle::complete);
    idle.future().await();
  }

  private Socket open(String client) throws IOException {
    int port = URI.create(listener.address()).getPort();
    Socket socket =
        new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName(client), 0);
    sockets.add(socket);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  private static String ask(Socket socket) throws IOException {
    RawHttp.write(socket, "GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return answer(socket);
  }

  /** A body of four bytes. */
  private static String answer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    int headEnd = -1;
    while (headEnd < 0 || answer.length() < headEnd + 8) {
      int read = socket.getInputStream().read();
      assertThat(read).as("after %s", answer).isNotNegative();
      answer.append(new String(new byte[] {(byte) read}, ISO_8859_1));
      headEnd = answer.indexOf("\r\n\r\n");
    }
    return answer.substring(headEnd + 4);
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }
}
