package hourglass.program.cassandra;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The times of successful calls of one kind, and the errors of the others. Thread-safe. */
final class CallLog {
  private static final int TEXT_MAX = 160;

  /** The end of a call, and its error; null: none. */
  private record Call(long endNanos, @Nullable String trouble) {}

  private final String kind;
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();

  CallLog(String kind) {
    this.kind = kind;
  }

  void succeeded() {
    calls.add(new Call(System.nanoTime(), null));
  }

  void failed(String trouble) {
    calls.add(new Call(System.nanoTime(), trouble));
  }

  /** The calls from a moment of {@link System#nanoTime} until now. */
  Stretch since(long fromNanos) {
    List<Call> seen = new ArrayList<>();
    calls.stream().filter(call -> call.endNanos - fromNanos >= 0).forEach(seen::add);
    long succeeded = 0;
    long silenceNanos = 0;
    long lastNanos = fromNanos;
    long troubleNanos = fromNanos;
    Map<String, Trouble> troubles = new TreeMap<>();
    for (Call call : seen) {
      if (call.trouble == null) {
        succeeded++;
        silenceNanos = Math.max(silenceNanos, call.endNanos - lastNanos);
        lastNanos = call.endNanos;
      } else {
        troubleNanos = call.endNanos;
        Duration after = Duration.ofNanos(call.endNanos - fromNanos);
        troubles.merge(text(call.trouble), new Trouble(1, after, after), Trouble::plus);
      }
    }
    silenceNanos = Math.max(silenceNanos, System.nanoTime() - lastNanos);
    return new Stretch(
        kind,
        succeeded,
        troubles,
        Duration.ofNanos(troubleNanos - fromNanos),
        Duration.ofNanos(silenceNanos));
  }

  /** Returns the text without the parts that differ from call to call. */
  private static String text(String trouble) {
    String text = trouble.replaceAll("\\s+", " ");
    return text.substring(0, Math.min(TEXT_MAX, text.length()));
  }

  /** The number of one error, and when it was first and last. */
  record Trouble(int times, Duration first, Duration last) {
    private Trouble plus(Trouble more) {
      return new Trouble(times + more.times, first, more.last);
    }
  }

  /**
   * @param lastTrouble how long after its beginning a call failed last; zero: none did
   * @param silence the longest time without a successful call
   */
  record Stretch(
      String kind,
      long succeeded,
      Map<String, Trouble> troubles,
      Duration lastTrouble,
      Duration silence) {

    @Override
    public String toString() {
      return "%,d %s, none for at most %d ms; failed: %s"
          .formatted(succeeded, kind, silence.toMillis(), troubles.isEmpty() ? "none" : list());
    }

    private String list() {
      return troubles.entrySet().stream()
          .map(
              entry ->
                  "%n    %d times from %d to %d ms: %s"
                      .formatted(
                          entry.getValue().times(),
                          entry.getValue().first().toMillis(),
                          entry.getValue().last().toMillis(),
                          entry.getKey()))
          .collect(Collectors.joining());
    }
  }
}
