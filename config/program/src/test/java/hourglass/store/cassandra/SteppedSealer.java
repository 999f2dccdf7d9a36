package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import hourglass.bucketing.Hour;
import hourglass.config.cli.TunedServe;
import hourglass.config.settings.Settings;
import hourglass.config.settings.StoreOptions;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.Sealer.Step;
import hourglass.testing.SetClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process that seals at the command of a test, and waits after each step for the next command. So
 * a test can do anything at a step, and kill the process there.
 *
 * <pre>
 * command             output
 *                     ready STEP,STEP,...
 * pass                at STEP               waits for "on"
 *                     passed                or: failed REASON
 * settled             settled ROWS of ROWS  rows that are sealed and cleaned up
 * </pre>
 */
public final class SteppedSealer {
  private final BufferedReader told = new BufferedReader(new InputStreamReader(System.in, UTF_8));
  private final CassandraStore store;
  private final Sealer sealer;

  private SteppedSealer(CassandraStore store) {
    this.store = store;
    this.sealer = store.newSealer(this::reach);
  }

  /**
   * @param settings those of {@code serve}, {@code key=value} each
   */
  public static void main(String[] settings) {
    Settings tuned = TunedServe.settings(List.of(settings));
    CassandraOptions options = ((StoreOptions.Cassandra) tuned.store()).options();
    CassandraStore store =
        CassandraStore.open(
            CassandraOptionsBuilder.builder(options).sealEvery(Duration.ofDays(1)).build(),
            SetClock.ofEnvironment(),
            new SimpleMeterRegistry());
    SteppedSealer process = new SteppedSealer(store);
    process.say(
        Stream.of(Step.values()).map(Step::name).collect(Collectors.joining(",", "ready ", "")));
    while (true) {
      process.say(process.answer(process.hear()));
    }
  }

  private String answer(String order) {
    try {
      if (order.equals("settled")) {
        return settled();
      }
      sealer.pass(store.openTables());
      return "passed";
    } catch (UnavailableException e) {
      return "failed " + Objects.requireNonNull(e.getMessage()).replace('\n', ' ');
    }
  }

  private String settled() {
    Tables tables = store.openTables();
    List<Directory.Found> rows =
        tables.hours().hours(Hour.FIRST, Hour.LAST).toCompletableFuture().join().stream()
            .flatMap(
                hour -> store.directory().rows(tables, hour).toCompletableFuture().join().stream())
            .toList();
    long settled = rows.stream().filter(row -> row.entry().sealed() && !row.hasLeftovers()).count();
    return "settled " + settled + " of " + rows.size();
  }

  private void reach(Step step) {
    say("at " + step);
    hear();
  }

  private void say(String line) {
    System.out.println(line);
  }

  /** Ends the process with the one that tells it what to do. */
  private String hear() {
    try {
      String line = told.readLine();
      if (line == null) {
        Runtime.getRuntime().halt(0);
      }
      return Objects.requireNonNull(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
