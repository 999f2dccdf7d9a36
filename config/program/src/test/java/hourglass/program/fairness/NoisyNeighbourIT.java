package hourglass.program.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.Program;
import hourglass.program.ServerProcess;
import hourglass.testing.Tier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A quiet client of an installed server, whose requests follow one another, beside a noisy one: no
 * request of the quiet one is refused. The long form makes all kinds of noise and also compares
 * times and memory with what they should be, so it needs a quiet machine of two cores; the noise
 * has the lowest priority, since clients usually have processors of their own.
 */
@Tag(Tier.IN_FULL)
class NoisyNeighbourIT {
  private static final List<Noise> NOISES =
      Tier.current() == Tier.LONGEST
          ? List.of(Noise.values())
          : List.of(Noise.NEW_TYPES, Noise.LARGE_VALUES, Noise.SLOW_READS);

  private static final int EVENTS = Tier.current() == Tier.LONGEST ? 1_000_000 : 100_000;
  private static final int LARGE_EVENTS = 16;
  private static final int LARGE_BYTES = 1_000_000;
  private static final Duration WARM_UP =
      Duration.ofSeconds(Tier.current() == Tier.LONGEST ? 10 : 1);
  private static final Duration TIME = Duration.ofSeconds(Tier.current() == Tier.LONGEST ? 20 : 2);

  private static final double MEDIAN_MILLIS_MAX = 30;
  private static final double P99_MILLIS_MAX = 250;
  private static final long RESIDENT_MAX = 600;

  /** The types of the current hour stay in memory: 225,000 of one client, a kilobyte each. */
  private static final long RESIDENT_WITH_TYPES_MAX = 850;

  private static final long RESIDENT_AFTER_MAX = 450;
  private static final Duration AFTER = Duration.ofMinutes(1);

  @TempDir static Path folder;
  private static ServerProcess server;

  @BeforeAll
  static void start() throws Exception {
    server = ServerProcess.startInstalled(Program.install(folder), folder);
    server.generate(Campaign.HOUR, EVENTS);
    for (int i = 0; i < LARGE_EVENTS; i++) {
      String event =
          "{\"type\":\"large\",\"time\":\"%s:00:%02dZ\",\"s\":\"%s\"}"
              .formatted(Campaign.LARGE_HOUR, i, "a".repeat(LARGE_BYTES));
      assertThat(server.post("/api/v1/events", "application/json", event).statusCode())
          .isEqualTo(200);
    }
    new Campaign(server.uri("/")).run(WARM_UP);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    assertThat(server.terminate()).isZero();
    assertThat(server.log()).doesNotContain(" ERROR ", "OutOfMemory");
  }

  @Test
  void aQuietClientIsServedBesidesANoisyOne() throws Exception {
    SoftAssertions figures = new SoftAssertions();
    for (Noise noise : NOISES) {
      if (Tier.current() == Tier.LONGEST && noise == Noise.NEW_TYPES) {
        awaitMemoryIsGivenBack();
      }
      Campaign quiet = new Campaign(server.uri("/"));
      AtomicLong residentMax = new AtomicLong();
      String answers;
      try (NoiseProcess noisy = NoiseProcess.start(server.uri("/"), noise);
          var watch = new ResidentWatch(residentMax)) {
        noisy.awaitBegin();
        quiet.run(TIME);
        answers = noisy.end();
      }
      System.out.printf(
          "| %s | %s | %s MB | noise: %s |%n", noise, quiet.row(), residentMax, answers);
      check(figures, noise, quiet, residentMax.get());
    }
    if (Tier.current() == Tier.LONGEST) {
      figures.assertAll();
    }
  }

  private static void awaitMemoryIsGivenBack() {
    await()
        .atMost(AFTER)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertThat(residentMegabytes()).isLessThanOrEqualTo(RESIDENT_AFTER_MAX));
  }

  private static void check(SoftAssertions figures, Noise noise, Campaign quiet, long residentMax) {
    figures
        .assertThat(residentMax)
        .as("resident beside %s", noise)
        .isLessThanOrEqualTo(noise == Noise.NEW_TYPES ? RESIDENT_WITH_TYPES_MAX : RESIDENT_MAX);
    for (Campaign.Question question : Campaign.Question.values()) {
      figures
          .assertThat(quiet.millis(question, 50))
          .as("%s beside %s: median", question, noise)
          .isLessThanOrEqualTo(MEDIAN_MILLIS_MAX);
      figures
          .assertThat(quiet.millis(question, 99))
          .as("%s beside %s: p99", question, noise)
          .isLessThanOrEqualTo(P99_MILLIS_MAX);
    }
  }

  private static long residentMegabytes() throws IOException {
    return Campaign.residentMegabytes(server.pid());
  }

  /** Keeps the most that is seen of the server's resident memory, in MB. */
  private static final class ResidentWatch implements AutoCloseable {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    private ResidentWatch(AtomicLong most) {
      var unused =
          timer.scheduleAtFixedRate(
              () -> {
                try {
                  most.accumulateAndGet(residentMegabytes(), Math::max);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              0,
              200,
              TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
      timer.shutdownNow();
    }
  }
}
