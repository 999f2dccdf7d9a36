package hourglass.load.canary;

import hourglass.bucketing.Ticks;
import hourglass.load.client.TargetClient;
import hourglass.load.command.Limits;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.LineSplitter;
import hourglass.load.event.Mapping;
import hourglass.load.event.StoredEvent;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Asks for events of the canary's type. An answer counts only if it is whole: one that failed, was
 * cut off or calls itself incomplete says nothing about what is not in it. Thread-safe.
 */
final class CanaryReads {
  private final TargetClient client;
  private final String type;
  private final CanaryTally tally;
  private final CanaryNotes notes;

  CanaryReads(TargetClient client, String type, CanaryTally tally, CanaryNotes notes) {
    this.client = client;
    this.type = type;
    this.tally = tally;
    this.notes = notes;
  }

  /** Parameters that ask for times in [fromTicks, toTicks). */
  static String range(long fromTicks, long toTicks) {
    return "from=%s&to=%s".formatted(Ticks.text(fromTicks), Ticks.text(toTicks));
  }

  /**
   * Passes the answer on line by line.
   *
   * @param range and order and limit, as parameters
   * @return whether it was whole
   */
  boolean read(String range, LineSplitter.LineHandler handler) {
    try {
      return readWhole(range, handler);
    } catch (LoadFailure e) {
      failed("failed", String.valueOf(e.getMessage()));
      return false;
    } catch (RuntimeException e) { // nobody foresaw it, and the canary goes on
      failed("broken", e.toString());
      return false;
    }
  }

  private boolean readWhole(String range, LineSplitter.LineHandler handler) {
    LineSplitter lines = new LineSplitter(handler);
    String query = "/api/v1/events?type=" + type + "&format=ndjson&" + range;
    boolean incomplete = client.stream(query, lines).saysIncomplete();
    if (lines.cutOff()) {
      throw new LoadFailure("GET " + query + ": the answer ended in the middle of a line");
    }
    if (incomplete) {
      failed("incomplete", "GET " + query);
    }
    return !incomplete;
  }

  void failed(String kind, String text) {
    tally.readsFailed.add(kind, 1);
    notes.add("read " + kind, text);
  }

  /**
   * Looks at the newest events of the type.
   *
   * @return one that no canary made, or null
   * @throws LoadFailure if the target does not answer
   */
  @Nullable String stranger() {
    AtomicReference<@Nullable String> found = new AtomicReference<>();
    Mapping.Extractor payload = Mapping.DEFAULT.extractor();
    String range = "order=desc&limit=" + Limits.CANARY_LOOK_EVENTS;
    boolean whole =
        readWhole(
            range,
            (bytes, from, to) -> {
              StoredEvent event = StoredEvent.read(bytes, from, to, payload);
              if (!CanaryEvents.isCanarys(event.identity())) {
                found.compareAndSet(null, event.id() + " at " + event.timeText());
              }
            });
    if (!whole) {
      throw new LoadFailure("the target cannot tell what is there: its answer is incomplete");
    }
    return found.get();
  }
}
