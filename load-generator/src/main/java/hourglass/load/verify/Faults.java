package hourglass.load.verify;

import hourglass.load.command.LoadLimits;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The faults of a verification. All are counted, and the first few of each kind are shown. */
public final class Faults {
  /** The kinds of faults, the gravest first. */
  public enum Kind {
    LOST("lost"),
    INCOMPLETE("answers that call themselves incomplete"),
    ALTERED("altered payload"),
    DOUBLED("doubled"),
    REPEATED("same id and type twice"),
    ORDER("out of order"),
    TIME("time and id disagree"),
    RANGE("outside the range asked for"),
    TYPE_COUNT("counts by type disagree"),
    PAGES("pages disagree with the stream"),
    FOREIGN("not ours");

    public final String label;

    Kind(String label) {
      this.label = label;
    }
  }

  private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
  private final Map<Kind, List<String>> shown = new EnumMap<>(Kind.class);

  public void add(Kind kind, long count) {
    if (count > 0) {
      counts.merge(kind, count, Long::sum);
    }
  }

  public void add(Kind kind, String text) {
    add(kind, 1);
    show(kind, text);
  }

  void show(Kind kind, String text) {
    List<String> texts = shown.computeIfAbsent(kind, any -> new ArrayList<>());
    if (texts.size() < LoadLimits.FAULTS_SHOWN) {
      texts.add(text);
    }
  }

  public long count(Kind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  public Map<Kind, Long> counts() {
    return counts;
  }

  public List<String> shown(Kind kind) {
    return shown.getOrDefault(kind, List.of());
  }
}
