package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.UnavailableException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store without a cluster opens, and its calls fail with the reason. */
class AwayTest {
  @Test
  void theReasonNamesTheContactPoint() throws IOException {
    String contact = "127.0.0.1:" + freePort();
    CassandraOptions options = CassandraOptions.builder().contactPoints(List.of(contact)).build();
    try (CassandraStore store =
        CassandraStore.open(options, Clock.systemUTC(), new SimpleMeterRegistry())) {
      assertThat(reason(store)).contains(contact);
      assertThat(store.placement(new RowKey(Hour.FIRST, "checkout", 0))).isEmpty();
    }
  }

  /** Otherwise every attempt to connect would be logged. */
  @Test
  void theReasonOfEachAttemptIsTheSame() throws IOException {
    CassandraOptions options =
        CassandraOptions.builder().contactPoints(List.of("127.0.0.1:" + freePort())).build();
    assertThat(reason(options)).isEqualTo(reason(options));
  }

  private static String reason(CassandraOptions options) {
    try (CassandraStore store =
        CassandraStore.open(options, Clock.systemUTC(), new SimpleMeterRegistry())) {
      return reason(store);
    }
  }

  /** Of the first attempt, which may take longer than the store's opening waits for it. */
  private static String reason(CassandraStore store) {
    return await()
        .until(
            () -> {
              Throwable e = store.check().handle((ok, why) -> why).toCompletableFuture().join();
              assertThat(e).isInstanceOf(UnavailableException.class);
              return e.getMessage();
            },
            reason -> !reason.contains("not connected yet"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
