package hourglass.load.send;

import hourglass.bytes.JsonText;
import hourglass.load.client.Batch;
import hourglass.load.command.LoadLimits;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/**
 * Generates events over [from, from + span), in time order except for two shares of them. The same
 * settings produce the same bytes, because every batch draws from the seed and its own number.
 *
 * @param lateShare the share of events one to three hours before their place
 * @param outOfOrderShare the share of events up to five seconds before their place
 */
public record GeneratedSource(
    long events,
    int batchEvents,
    EventForm shape,
    Instant from,
    Duration span,
    double lateShare,
    double outOfOrderShare,
    long seed)
    implements BatchSource {
  private static final long HOUR_MICROS = 3_600_000_000L;
  private static final long OUT_OF_ORDER_MICROS = 5_000_000;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  @Override
  public boolean forEach(Predicate<Batch> taker) {
    JsonText text = new JsonText();
    long before = 0;
    boolean taken = true;
    for (int number = 0; taken && before < events; number++) {
      Batch batch = batch(number, before, text);
      taken = taker.test(batch);
      before += batch.events();
    }
    return taken;
  }

  private Batch batch(int number, long before, JsonText text) {
    SplittableRandom random = new SplittableRandom(seed * GOLDEN + number);
    long fromMicros = ChronoUnit.MICROS.between(Instant.EPOCH, from);
    double stepMicros = span.toNanos() / 1e3 / events;
    long most = Math.min(batchEvents, events - before);
    text.clear();
    int lines = 0;
    while (lines < most && text.length() < LoadLimits.BATCH_BYTES_MAX) {
      double place = (before + lines + random.nextDouble()) * stepMicros;
      shape.write(text, moved(fromMicros + (long) place, fromMicros, random), random);
      lines++;
    }
    return Batch.plain(number, before, lines, Buffer.buffer(text.toBytes()));
  }

  /** Moves an event back in time, with the probabilities of the two shares. */
  private long moved(long placeMicros, long fromMicros, SplittableRandom random) {
    long micros = placeMicros;
    if (lateShare > 0 && random.nextDouble() < lateShare) {
      micros -= HOUR_MICROS + random.nextLong(2 * HOUR_MICROS);
    }
    if (outOfOrderShare > 0 && random.nextDouble() < outOfOrderShare) {
      micros =
          Math.max(Math.min(micros, fromMicros), micros - random.nextLong(OUT_OF_ORDER_MICROS));
    }
    return micros;
  }
}
