package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import hourglass.access.Client;
import hourglass.query.http.RunningQueries.RunningQuery;
import hourglass.query.scan.QueryReads;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Slow queries are written to the log, whose size an overload does not decide. */
class SlowQueriesTest {
  private static final RunningQuery QUERY =
      new RunningQuery(
          "some",
          Client.open("ada"),
          "/api/v1/events",
          new QueryReads(),
          Instant.EPOCH,
          why -> CompletableFuture.completedFuture(true));

  private final Logger logger = (Logger) LoggerFactory.getLogger(SlowQueries.LOG);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private long nanos = -5;
  private final SlowQueries slow = new SlowQueries(1_000, () -> nanos);

  @BeforeEach
  void startLog() {
    logged.start();
    logger.setLevel(Level.INFO);
    logger.addAppender(logged);
  }

  @AfterEach
  void stopLog() {
    logger.detachAppender(logged);
    logger.setLevel(null);
  }

  private void end(int count) {
    for (int i = 0; i < count; i++) {
      slow.ended(QUERY, Duration.ofMillis(1_001).toNanos(), "ok");
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void aQueryThatTookNoLongerThanTheLimitIsNotLogged() {
    slow.ended(QUERY, Duration.ofMillis(1_000).toNanos(), "ok");
    assertThat(logged.list).isEmpty();
    end(1);
    assertThat(logged.list).hasSize(1);
  }

  @Test
  void tenLinesASecondAreLoggedAndTheNextOneCountsTheOthers() {
    end(25);
    pass(Duration.ofMillis(999));
    end(1);
    assertThat(logged.list).hasSize(10);
    pass(Duration.ofMillis(1));
    end(2);
    assertThat(logged.list).hasSize(12);
    assertThat(logged.list.get(10).getKeyValuePairs()).contains(new KeyValuePair("left_out", 16L));
    assertThat(logged.list.get(11).getKeyValuePairs())
        .noneMatch(pair -> pair.key.equals("left_out"));
  }

  @Test
  void aSecondBeginsWithItsFirstLine() {
    pass(Duration.ofMinutes(1));
    end(10);
    pass(Duration.ofMillis(500));
    end(1);
    assertThat(logged.list).hasSize(10);
  }
}
