package hourglass.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says what happened as it happens, the first few of a kind only: a canary may run for days. Kept
 * for the report. Thread-safe.
 */
final class CanaryNotes {
  private final Progress progress;
  private final Map<String, List<String>> shown = new LinkedHashMap<>();

  CanaryNotes(Progress progress) {
    this.progress = progress;
  }

  synchronized void add(String kind, String text) {
    if (!shown.containsKey(kind) && shown.size() >= Limits.KINDS_MAX) {
      return;
    }
    List<String> texts = shown.computeIfAbsent(kind, any -> new ArrayList<>());
    if (texts.size() < Limits.FAULTS_SHOWN) {
      texts.add(text);
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
    shown.forEach((kind, texts) -> copy.put(kind, List.copyOf(texts)));
    return copy;
  }
}
