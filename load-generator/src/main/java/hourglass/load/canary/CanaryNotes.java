package hourglass.load.canary;

import hourglass.load.command.Limits;
import hourglass.load.command.Nanos;
import hourglass.load.command.ProgressLine;
import hourglass.load.verify.Faults;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Logs faults and errors as they happen, a few of a kind in an hour: a canary may run for days, and
 * the trouble of the last is not to be silent for that of the first. The first few of the run are
 * kept for the report. Thread-safe.
 */
final class CanaryNotes {
  private static final long QUOTA_NANOS = TimeUnit.HOURS.toNanos(1);

  /** The first texts of a kind, and the number logged since the hour began. */
  private static final class Said {
    private final List<String> first = new ArrayList<>();
    private long sinceNanos;
    private int now;
  }

  private final ProgressLine progress;
  private final Nanos nanos;
  private final Map<String, Said> said = new LinkedHashMap<>();

  CanaryNotes(ProgressLine progress, Nanos nanos) {
    this.progress = progress;
    this.nanos = nanos;
  }

  synchronized void add(String kind, String text) {
    if (!said.containsKey(kind) && said.size() >= Limits.KINDS_MAX) {
      return;
    }
    Said before = said.computeIfAbsent(kind, any -> new Said());
    if (before.first.size() < Limits.FAULTS_SHOWN) {
      before.first.add(text);
    }
    if (before.now == 0 || nanos.now() - before.sinceNanos >= QUOTA_NANOS) {
      before.sinceNanos = nanos.now();
      before.now = 0;
    }
    if (before.now < Limits.FAULTS_SHOWN) {
      before.now++;
      progress.say("canary: %s: %s".formatted(kind, text));
    }
  }

  void add(Faults faults) {
    faults
        .counts()
        .keySet()
        .forEach(kind -> faults.shown(kind).forEach(text -> add(kind.label, text)));
  }

  synchronized Map<String, List<String>> shown() {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    said.forEach((kind, of) -> copy.put(kind, List.copyOf(of.first)));
    return copy;
  }
}
