package hourglass.load.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines of a report, each of which begins with a name. */
public final class ReportLines {
  private final List<List<String>> rows = new ArrayList<>();

  public void add(String name, String format, Object... values) {
    rows.add(List.of(name, String.format(Locale.ROOT, format, values)));
  }

  /** Returns the name and the text of each line. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    rows.forEach(row -> text.append(String.format(Locale.ROOT, "  %-9s %s%n", row.toArray())));
    return text.toString();
  }
}
