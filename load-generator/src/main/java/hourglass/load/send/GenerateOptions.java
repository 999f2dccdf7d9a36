package hourglass.load.send;

import hourglass.bucketing.Hour;
import hourglass.command.Range;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.LoadTask;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for generated events. */
public final class GenerateOptions {
  @Option(names = "--events", description = "How many events.")
  @Range("1 or more")
  public long events = 1000000;

  @Option(names = "--types", paramLabel = "K", description = "How many event types.")
  @Range("1 to 100000")
  public int types = 6;

  @Option(
      names = "--skew",
      paramLabel = "S",
      description = "Zipf exponent of the types; 0: all alike.")
  @Range("0 to 10")
  public double skew = 1.0;

  @Option(names = "--payload-bytes", description = "Size of an event; 0: about 170 as it comes.")
  int payloadBytes = 0;

  @Option(
      names = "--late",
      paramLabel = "SHARE",
      description = "Share of events one to three hours before their place.")
  @Range("0 to 1")
  public double late = 0;

  @Option(
      names = "--out-of-order",
      paramLabel = "SHARE",
      description = "Share of events up to 5 s before their place.")
  @Range("0 to 1")
  public double outOfOrder = 0;

  @Option(names = "--seed", description = "The same seed and settings give the same bytes.")
  long seed = 1;

  @Option(
      names = "--hour",
      description =
          "Start of the time range, such as 2026-11-20T08 (UTC). Default: far enough back to have passed.")
  public @Nullable Hour hour;

  /** Whether the events are messages; only a bench asks about them. */
  public boolean messages;

  public void check(LoadTask command) {
    command.require(
        payloadBytes == 0 || payloadBytes >= 100 && payloadBytes <= 1 << 20,
        "--payload-bytes",
        payloadBytes,
        "0, or 100 to 1048576");
  }

  public GeneratedSource source(int batchEvents, Instant from, Duration span) {
    EventForm shape =
        messages ? new MessageShape(types, skew) : new EventShape(types, skew, payloadBytes);
    return new GeneratedSource(events, batchEvents, shape, from, span, late, outOfOrder, seed);
  }

  /** Returns whether events have their natural size. */
  public boolean isOfNaturalSize() {
    return payloadBytes == 0;
  }

  /** Returns whether the events probably fit into memory, by an estimate of their size. */
  public boolean fitsPrepared() {
    long eventBytes = payloadBytes == 0 ? (messages ? 240 : 175) : payloadBytes + 1;
    return Math.min(events, LoadLimits.PREPARED_BYTES_MAX) * eventBytes
        <= PreparedSource.bytesMax();
  }

  public JsonObject figures() {
    return new JsonObject()
        .put("events", events)
        .put("types", types)
        .put("skew", skew)
        .put("payload_bytes", payloadBytes)
        .put("messages", messages)
        .put("late_share", late)
        .put("out_of_order_share", outOfOrder)
        .put("seed", seed);
  }
}
