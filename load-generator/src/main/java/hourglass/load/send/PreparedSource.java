package hourglass.load.send;

import hourglass.command.FigureText;
import hourglass.load.client.Batch;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/** The batches that are built in memory before the clock starts. */
public record PreparedSource(List<Batch> batches, long events) implements BatchSource {
  /** Returns the size limit of all batches: 1 GiB, or half of the heap if that is less. */
  public static long bytesMax() {
    return Math.min(LoadLimits.PREPARED_BYTES_MAX, Runtime.getRuntime().maxMemory() / 2);
  }

  /** Builds the batches. Throws {@link LoadFailure} if they occupy more than {@link #bytesMax}. */
  public static PreparedSource of(BatchSource source) throws IOException {
    List<Batch> batches = new ArrayList<>();
    LongAdder bytes = new LongAdder();
    long bytesMax = bytesMax();
    source.forEach(
        batch -> {
          bytes.add(batch.heldBytes());
          if (bytes.sum() > bytesMax) {
            throw new LoadFailure(
                FigureText.format(
                    "--prepare: %,d events take more than %,d MB; use --no-prepare, fewer --events, or a larger heap",
                    batch.firstEvent() + batch.events(), bytesMax / 1_000_000));
          }
          batches.add(batch);
          return true;
        });
    return new PreparedSource(batches, batches.stream().mapToLong(Batch::events).sum());
  }

  @Override
  public boolean forEach(Predicate<Batch> taker) {
    return batches.stream().allMatch(taker);
  }
}
