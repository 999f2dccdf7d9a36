package hourglass.load.command;

import java.util.Locale;

/** Lines with a name in front. */
public final class ReportLines {
  private final StringBuilder text = new StringBuilder();

  public void add(String name, String format, Object... values) {
    text.append(
        String.format(
            Locale.ROOT, "  %-9s %s%n", name, String.format(Locale.ROOT, format, values)));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
