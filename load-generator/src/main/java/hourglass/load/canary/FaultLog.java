package hourglass.load.canary;

import hourglass.command.ProgressLine;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.Nanos;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The texts of faults and errors. Only a few texts of each kind are logged each hour, since a run
 * may last days; the first few are kept. Thread-safe.
 */
final class FaultLog {
  private static final long QUOTA_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final class Logged {
    private final List<String> first = new ArrayList<>();
    private long sinceNanos;
    private int count;
  }

  private final Map<String, Logged> logged = new LinkedHashMap<>();
  private final ProgressLine progress;
  private final Nanos nanos;

  FaultLog(ProgressLine progress, Nanos nanos) {
    this.progress = progress;
    this.nanos = nanos;
  }

  synchronized void add(String kind, String text) {
    if (!logged.containsKey(kind) && logged.size() >= LoadLimits.KINDS_MAX) {
      return;
    }
    Logged before = logged.computeIfAbsent(kind, any -> new Logged());
    if (before.first.size() < LoadLimits.FAULTS_SHOWN) {
      before.first.add(text);
    }
    if (before.count == 0 || nanos.now() - before.sinceNanos >= QUOTA_NANOS) {
      before.sinceNanos = nanos.now();
      before.count = 0;
    }
    if (before.count < LoadLimits.FAULTS_SHOWN) {
      before.count++;
      progress.say("canary: %s: %s".formatted(kind, text));
    }
  }

  synchronized Map<String, List<String>> firstTexts() {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    logged.forEach((kind, of) -> copy.put(kind, List.copyOf(of.first)));
    return copy;
  }
}
