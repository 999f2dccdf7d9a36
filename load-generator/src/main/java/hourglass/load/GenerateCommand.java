package hourglass.load;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import hourglass.load.event.Mapping;
import hourglass.load.send.GenerateOptions;
import hourglass.load.send.GeneratedSource;
import hourglass.load.send.PreparedSource;
import hourglass.load.send.SendOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "generate", description = "Sends events made up from a seed.")
final class GenerateCommand extends SendTask {
  @Mixin private GenerateOptions generate;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "The same as --hour to the fraction of a second: 2026-11-20T08:15:00Z.")
  private @Nullable Instant from;

  @Option(
      names = "--span",
      defaultValue = "1h",
      description = "Length of the time range over which the events are spread.")
  private Duration span;

  @Mixin private SendOptions send;

  @Override
  protected boolean run() throws IOException, InterruptedException {
    checkTarget();
    generate.check(this);
    send.check(this);
    require(generate.hour == null || from == null, "--from", from, "one of --hour and --from");
    require(!span.isZero(), "--span", "0", "more than 0");
    require(
        !Boolean.TRUE.equals(send.prepare) || generate.fitsPrepared(),
        "--prepare",
        FigureText.format("%,d events", generate.events),
        FigureText.format("at most %,d MB of events", PreparedSource.bytesMax() / 1_000_000));
    Instant start = start();
    GeneratedSource source = generate.source(send.batch, start, span);
    boolean prepared = send.prepare == null ? generate.fitsPrepared() : send.prepare;
    JsonObject settings =
        generate.figures().put("from", start.toString()).put("span_seconds", span.toMillis() / 1e3);
    return run("generate", source, Mapping.DEFAULT, send, prepared, settings);
  }

  /**
   * Returns the start of the range. By default it is the last whole range that has passed, so that
   * no event is too early.
   */
  private Instant start() {
    Hour hour = generate.hour == null ? Hour.of(clock.instant().minus(span)) : generate.hour;
    return from == null ? hour.start() : from;
  }
}
