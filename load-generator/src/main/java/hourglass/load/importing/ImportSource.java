package hourglass.load.importing;

import hourglass.load.client.Batch;
import hourglass.load.send.BatchSource;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of inputs in batches, in the order of their lines. For one pass.
 *
 * @param inputs the inputs, whose beginnings must have been read
 * @param places receives the places of the events of each batch
 */
record ImportSource(List<Input> inputs, BatchPlaces places) implements BatchSource {
  @Override
  public long events() {
    return -1;
  }

  @Override
  public boolean forEach(Predicate<Batch> taker) {
    Batches batches = new Batches(taker);
    for (Input input : inputs) {
      if (!batches.takeAll(input)) {
        return false;
      }
    }
    return true;
  }

  private final class Batches {
    private final Predicate<Batch> taker;
    private int count;
    private long eventsBefore;
    private long ofInput;
    private boolean isTaken = true;

    Batches(Predicate<Batch> taker) {
      this.taker = taker;
    }

    boolean takeAll(Input input) {
      ofInput = 0;
      GatheredLines lines = new GatheredLines();
      Items items =
          input
              .form()
              .items(
                  (bytes, from, to, isJson, number) -> {
                    lines.add(bytes, from, to, isJson, number);
                    take(input, lines, lines.cut());
                  });
      try {
        boolean isRead =
            input.forEachChunk(
                chunk -> {
                  input.named(() -> items.accept(chunk));
                  if (chunk.length == 0) {
                    take(input, lines, lines.count());
                  }
                  return isTaken;
                });
        if (isRead) {
          input.named(items::end);
        }
      } finally {
        take(input, lines, lines.count()); // also sends the events before damaged bytes
      }
      return isTaken;
    }

    private void take(Input input, GatheredLines lines, int first) {
      if (first > 0) {
        GatheredLines.Taken taken = lines.take(first);
        places.put(count, input, input.form(), ofInput, taken.numbers());
        ofInput += first;
        isTaken = isTaken && taker.test(batch(count, eventsBefore, taken));
        count++;
        eventsBefore += first;
      }
    }
  }

  /** Creates a batch. JSON lines among lines of text become events as they do elsewhere. */
  private static Batch batch(int index, long eventsBefore, GatheredLines.Taken taken) {
    int events = taken.numbers().length;
    return taken.hasText()
        ? Batch.text(index, eventsBefore, events, taken.text())
        : Batch.plain(index, eventsBefore, events, taken.text());
  }

  /** Returns a batch of the first events of an input, or null if it has none. */
  static @Nullable Batch beginning(Input input, int eventsMax) {
    GatheredLines lines = new GatheredLines();
    input.forBeginning(
        (bytes, from, to, isJson, number) -> {
          if (lines.count() < eventsMax) {
            lines.add(bytes, from, to, isJson, number);
          }
        });
    return lines.count() == 0 ? null : batch(0, 0, lines.take(lines.count()));
  }
}
