package hourglass.load.importing;

import hourglass.load.client.Batch;
import hourglass.load.send.BatchSource;
import hourglass.load.send.ByteText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The events of inputs in batches of JSON or of text. Batches are cut at the same events whenever
 * the same files are read. For one pass.
 *
 * @param inputs whose beginnings are read
 * @param places learns where the events of each batch stand
 */
record ImportSource(List<Input> inputs, Places places) implements BatchSource {
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
      Form form = input.form();
      Part json = new Part(this, input, form, true);
      Part text = new Part(this, input, form, false);
      Items items =
          form.items(
              (bytes, from, to, isJson, number) ->
                  (isJson ? json : text).add(bytes, from, to, number));
      try {
        boolean isRead =
            input.forEachChunk(
                chunk -> {
                  input.named(() -> items.accept(chunk));
                  if (chunk.length == 0) {
                    json.end();
                    text.end();
                  }
                  return isTaken;
                });
        if (isRead) {
          input.named(items::end);
        }
      } finally {
        json.end(); // also what came before damage
        text.end();
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
    private final boolean isJson;
    private final ByteText lines = new ByteText(1 << 16);
    private long[] numbers = new long[BATCH_EVENTS];
    private int events;
    private int lastFrom;

    Part(Batches batches, Input input, Form form, boolean isJson) {
      this.batches = batches;
      this.input = input;
      this.form = form;
      this.isJson = isJson;
    }

    void add(byte[] bytes, int from, int to, long number) {
      boolean isFull = events >= BATCH_EVENTS || lines.length() >= BATCH_BYTES;
      boolean isOverfull =
          events >= STRETCH * BATCH_EVENTS || lines.length() >= STRETCH * BATCH_BYTES;
      if (isOverfull || isFull && !belongsToLast(bytes, from, to)) {
        end();
      }
      if (events == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * events);
      }
      numbers[events++] = number;
      lastFrom = lines.length();
      lines.append(bytes, from, to).append('\n');
    }

    /**
     * Equal lines in a row stay in one request, since the server tells equal events of one time
     * apart by their numbers in a request. A line of text that is indented continues the last.
     */
    private boolean belongsToLast(byte[] bytes, int from, int to) {
      boolean isIndented = !isJson && (bytes[from] == ' ' || bytes[from] == '\t');
      return isIndented
          || Arrays.equals(bytes, from, to, lines.array(), lastFrom, lines.length() - 1);
    }

    void end() {
      if (events > 0) {
        places.put(batches.count, input, form, Arrays.copyOf(numbers, events));
        batches.take(
            isJson
                ? Batch.plain(batches.count, batches.eventsBefore, events, lines.copy())
                : Batch.text(batches.count, batches.eventsBefore, events, lines.copy()));
        events = 0;
        lines.clear();
      }
    }
  }

  /** The batches of the beginning of an input, of so many events at most. */
  static List<Batch> beginning(Input input, int eventsMax) {
    ByteText json = new ByteText(1 << 16);
    ByteText text = new ByteText(1 << 16);
    int[] events = new int[2];
    input.forBeginning(
        (bytes, from, to, isJson, number) -> {
          if (events[0] + events[1] < eventsMax) {
            (isJson ? json : text).append(bytes, from, to).append('\n');
            events[isJson ? 0 : 1]++;
          }
        });
    List<Batch> batches = new ArrayList<>();
    if (events[0] > 0) {
      batches.add(Batch.plain(0, 0, events[0], json.copy()));
    }
    if (events[1] > 0) {
      batches.add(Batch.text(1, 0, events[1], text.copy()));
    }
    return batches;
  }
}
