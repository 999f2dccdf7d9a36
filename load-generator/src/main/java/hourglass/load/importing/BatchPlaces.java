package hourglass.load.importing;

import hourglass.load.client.Batch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The places of the events of the batches under way, and the number of events that were read.
 * Thread-safe.
 */
final class BatchPlaces {
  private final Map<Integer, Part> parts = new ConcurrentHashMap<>();
  private final AtomicLong items = new AtomicLong();

  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  private record Part(Input input, Form form, long first, long[] numbers) {}

  /**
   * Remembers the places of the events of a batch, before it is sent.
   *
   * @param first the number of events of the input before the batch
   */
  void put(int batch, Input input, Form form, long first, long[] numbers) {
    parts.put(batch, new Part(input, form, first, numbers));
    items.addAndGet(numbers.length);
  }

  /** Returns the number of events in all batches so far. */
  long items() {
    return items.get();
  }

  /** Returns the Idempotency-Key of a batch, which is that of its input. */
  String key(Batch batch) {
    return part(batch).input.identity();
  }

  /** Returns the number of events of the input before a batch. */
  long first(Batch batch) {
    return part(batch).first;
  }

  Place of(Batch batch, int index) {
    Part part = part(batch);
    int known = Math.min(Math.max(index, 0), part.numbers.length - 1);
    return new Place(part.input.name(), part.form.unit(), part.numbers[known]);
  }

  /** Returns the place of the last event of a batch. */
  Place end(Batch batch) {
    return of(batch, batch.events() - 1);
  }

  /** Forgets a batch once its outcome is known. */
  void forget(Batch batch) {
    parts.remove(batch.index());
  }

  private Part part(Batch batch) {
    Part part = parts.get(batch.index());
    if (part == null) {
      throw new IllegalStateException("BUG: batch %d has no places".formatted(batch.index()));
    }
    return part;
  }
}
