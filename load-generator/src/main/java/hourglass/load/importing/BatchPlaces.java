package hourglass.load.importing;

import hourglass.load.client.Batch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The places of the events of the batches under way, and how much was read. Thread-safe. */
final class BatchPlaces {
  private final Map<Integer, Part> parts = new ConcurrentHashMap<>();
  private final AtomicLong items = new AtomicLong();

  @SuppressWarnings("ArrayRecordComponent") // never compared whole
  private record Part(Input input, Form form, long first, long[] numbers) {}

  /**
   * Remembers where the events of a batch stand, before it is sent.
   *
   * @param first how many events of the input come before
   */
  void put(int batch, Input input, Form form, long first, long[] numbers) {
    parts.put(batch, new Part(input, form, first, numbers));
    items.addAndGet(numbers.length);
  }

  /** Events in all batches so far. */
  long items() {
    return items.get();
  }

  /** The Idempotency-Key of a batch, which is that of its input. */
  String key(Batch batch) {
    return part(batch).input.identity();
  }

  /** How many events of its input come before a batch. */
  long first(Batch batch) {
    return part(batch).first;
  }

  Place of(Batch batch, int index) {
    Part part = part(batch);
    int known = Math.min(Math.max(index, 0), part.numbers.length - 1);
    return new Place(part.input.name(), part.form.unit(), part.numbers[known]);
  }

  /** The last event of a batch. */
  Place end(Batch batch) {
    return of(batch, batch.events() - 1);
  }

  /** After the outcome of a batch. */
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
