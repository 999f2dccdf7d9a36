package hourglass.load.send;

import hourglass.load.client.Batch;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Batches built in memory before the clock starts. */
public record PreparedSource(List<Batch> batches, long events) implements BatchSource {
  /** 1 GiB, or half of the heap if that is less. */
  public static long bytesMax() {
    return Math.min(Limits.PREPARED_BYTES_MAX, Runtime.getRuntime().maxMemory() / 2);
  }

  /** Throws {@link LoadFailure} when the batches take more than {@link #bytesMax}. */
  public static PreparedSource of(BatchSource source) throws IOException {
    List<Batch> batches = new ArrayList<>();
    long bytesMax = bytesMax();
    long bytes = 0;
    long events = 0;
    try (Reader reader = source.open()) {
      for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
        batches.add(batch);
        bytes += batch.heldBytes();
        events += batch.events();
        if (bytes > bytesMax) {
          throw new LoadFailure(
              "--prepare: %,d events take more than %,d MB; use --no-prepare, fewer --events, or a larger heap"
                  .formatted(events, bytesMax / 1_000_000));
        }
      }
    }
    return new PreparedSource(batches, events);
  }

  @Override
  public Reader open() {
    Iterator<Batch> iterator = batches.iterator();
    return () -> iterator.hasNext() ? iterator.next() : null;
  }
}
