package hourglass.load.command;

import hourglass.command.FigureText;
import java.util.ArrayList;
import java.util.List;

/** The lines of a report, each of which begins with a name. */
public final class ReportLines {
  private final List<List<String>> rows = new ArrayList<>();

  public void add(String name, String format, Object... values) {
    rows.add(List.of(name, FigureText.format(format, values)));
  }

  /** Returns the name and the text of each line. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(FigureText.format("  %-9s %s%n", row.toArray())));
    return text.toString();
  }
}
