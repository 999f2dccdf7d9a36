package hourglass.load.lab;

import hourglass.load.command.Figures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of a comparison so far, as text and as figures. */
final class CompareRun {
  private final String title;
  private final Map<String, @Nullable Object> settings;
  private final Map<String, @Nullable Object> layouts = new LinkedHashMap<>();
  private boolean passed = true;

  /**
   * @param title the traffic and the ring or store, in a line
   */
  CompareRun(String title, Map<String, @Nullable Object> settings) {
    this.title = title;
    this.settings = settings;
  }

  void add(LayoutResult result) {
    layouts.put(result.name(), LayoutFigures.of(result));
    passed &= result.failed() == 0;
  }

  /** Whether every event was written. */
  boolean passed() {
    return passed;
  }

  Map<String, @Nullable Object> figures() {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("title", title);
    figures.put("settings", settings);
    figures.put("layouts", layouts);
    return figures;
  }

  String text() {
    Figures figures = Figures.of(figures());
    List<List<String>> phases = PhaseTable.cells(figures);
    String end = System.lineSeparator();
    return title
        + end
        + end
        + CompareTable.text(CompareTable.cells(figures))
        + (phases.size() > 1 ? end + CompareTable.text(phases) : "");
  }
}
