package hourglass.load.importing;

import hourglass.load.client.Batch;
import hourglass.load.send.BatchSource;
import hourglass.load.send.ByteText;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of inputs in batches, in the order of their lines. Batches are cut at the same events
 * whenever the same files are read. For one pass.
 *
 * @param inputs whose beginnings are read
 * @param places learns where the events of each batch stand
 */
record ImportSource(List<Input> inputs, BatchPlaces places) implements BatchSource {
  static final int BATCH_EVENTS = 5_000;

  /** Well below what a server takes, and often enough for the line of progress. */
  private static final int BATCH_BYTES = 4 << 20;

  /** How many times larger a batch may become so that it is not cut among equal lines. */
  private static final int STRETCH = 4;

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
    private boolean isTaken = true;

    Batches(Predicate<Batch> taker) {
      this.taker = taker;
    }

    boolean takeAll(Input input) {
      Part part = new Part(this, input);
      Items items = input.form().items(part::add);
      try {
        boolean isRead =
            input.forEachChunk(
                chunk -> {
                  input.named(() -> items.accept(chunk));
                  if (chunk.length == 0) {
                    part.end();
                  }
                  return isTaken;
                });
        if (isRead) {
          input.named(items::end);
        }
      } finally {
        part.end(); // also what came before damage
      }
      return isTaken;
    }

    private void take(Batch batch) {
      count++;
      eventsBefore += batch.events();
      isTaken = isTaken && taker.test(batch);
    }
  }

  /** A batch that grows. */
  private final class Part {
    private final Batches batches;
    private final Input input;
    private final Form form;
    private final ByteText lines = new ByteText(1 << 16);
    private final LineHeads heads = new LineHeads();
    private long[] numbers = new long[BATCH_EVENTS];
    private int events;
    private boolean hasText;
    private int lastFrom;

    Part(Batches batches, Input input) {
      this.batches = batches;
      this.input = input;
      this.form = input.form();
    }

    void add(byte[] bytes, int from, int to, boolean isJson, long number) {
      boolean isFull = events >= BATCH_EVENTS || lines.length() >= BATCH_BYTES;
      boolean isOverfull =
          events >= STRETCH * BATCH_EVENTS || lines.length() >= STRETCH * BATCH_BYTES;
      boolean mayBegin = isJson || heads.isLikeFirst(bytes, from);
      if (isOverfull || isFull && mayBegin && !isLast(bytes, from, to)) {
        end();
      }
      if (events == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * events);
      }
      numbers[events++] = number;
      hasText |= !isJson;
      lastFrom = lines.length();
      lines.append(bytes, from, to).append('\n');
    }

    /**
     * Whether the line equals the last one. Such lines stay in one request, since the server tells
     * equal events of one time apart by their numbers in a request.
     */
    private boolean isLast(byte[] bytes, int from, int to) {
      return Arrays.equals(bytes, from, to, lines.array(), lastFrom, lines.length() - 1);
    }

    void end() {
      if (events > 0) {
        places.put(batches.count, input, form, Arrays.copyOf(numbers, events));
        batches.take(batch(batches.count, batches.eventsBefore, events, hasText, lines));
        events = 0;
        hasText = false;
        lines.clear();
      }
    }
  }

  /** Among lines of text, those of JSON are events as elsewhere. */
  private static Batch batch(
      int index, long eventsBefore, int events, boolean hasText, ByteText lines) {
    return hasText
        ? Batch.text(index, eventsBefore, events, lines.copy())
        : Batch.plain(index, eventsBefore, events, lines.copy());
  }

  /** A batch of the first events of an input; null: it has none. */
  static @Nullable Batch beginning(Input input, int eventsMax) {
    ByteText lines = new ByteText(1 << 16);
    int[] events = new int[1];
    boolean[] hasText = new boolean[1];
    input.forBeginning(
        (bytes, from, to, isJson, number) -> {
          if (events[0] < eventsMax) {
            lines.append(bytes, from, to).append('\n');
            events[0]++;
            hasText[0] |= !isJson;
          }
        });
    return events[0] == 0 ? null : batch(0, 0, events[0], hasText[0], lines);
  }
}
