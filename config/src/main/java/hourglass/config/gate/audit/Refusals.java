package hourglass.config.gate.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Groups refused requests. The first one of each client and reason is written at once, then a line
 * a minute with their number, so that a flood of requests does not become a flood of lines.
 * Thread-safe.
 */
final class Refusals {
  /**
   * The most pairs of client and reason in a minute, at some hundred bytes each. All others are
   * counted together.
   */
  static final int KINDS_MAX = 10_000;

  private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final String OTHERS = "others";
  private static final String COUNT = "count";

  private final LongSupplier nanos;

  /** The refusals that were seen lately, by client and reason. Guarded by this. */
  private final Map<Kind, Seen> kinds = new HashMap<>();

  private record Kind(String client, String reason) {}

  private static final class Seen {
    private AuditEvent last;
    private long count;
    private long sinceNanos;

    private Seen(AuditEvent last, long sinceNanos) {
      this.last = last;
      this.sinceNanos = sinceNanos;
    }
  }

  /** Creates an empty group. {@code nanos} is a monotonic clock. */
  Refusals(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Counts a refusal. Returns the line to be written now, or null if there is none. */
  synchronized @Nullable AuditEvent add(String client, String reason, AuditEvent event) {
    Kind kind = new Kind(client, reason);
    if (!kinds.containsKey(kind) && kinds.size() >= KINDS_MAX) {
      kind = new Kind(OTHERS, reason);
    }
    Seen seen = kinds.get(kind);
    if (seen == null) {
      kinds.put(kind, new Seen(event, nanos.getAsLong()));
      return event.with(COUNT, 1);
    }
    seen.last = event;
    seen.count++;
    return null;
  }

  /** Returns the lines of all refusals that were first counted at least a minute ago. */
  List<AuditEvent> due() {
    return take(MINUTE_NANOS);
  }

  List<AuditEvent> rest() {
    return take(Long.MIN_VALUE);
  }

  private synchronized List<AuditEvent> take(long nanosMin) {
    List<AuditEvent> due = new ArrayList<>();
    long now = nanos.getAsLong();
    Iterator<Map.Entry<Kind, Seen>> all = kinds.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Kind, Seen> next = all.next();
      Seen seen = next.getValue();
      if (now - seen.sinceNanos < nanosMin) {
        continue;
      }
      if (seen.count == 0) {
        all.remove();
        continue;
      }
      boolean isOthers = Objects.equals(next.getKey().client(), OTHERS);
      due.add(seen.last.with(COUNT, seen.count).with("clients", isOthers ? OTHERS : null));
      seen.count = 0;
      seen.sinceNanos = now;
    }
    return due;
  }
}
