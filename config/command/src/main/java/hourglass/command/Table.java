package hourglass.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A table of cells for a terminal. The columns of names are aligned left, those of figures right,
 * and the last one left.
 */
public final class Table {
  private static final String GAP = "  ";

  /** The widest column. Wider cells, such as long texts of events, shift only their own line. */
  private static final int WIDTH_MAX = 60;

  private final int names;
  private final int figures;
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table from the heads of its columns. */
  public Table(List<String> names, List<String> figures, String... last) {
    this.names = names.size();
    this.figures = figures.size();
    List<String> heads = new ArrayList<>(names);
    heads.addAll(figures);
    heads.addAll(Arrays.asList(last));
    rows.add(heads);
  }

  /** Adds a row of cells, from left to right. */
  public void add(List<String> cells) {
    rows.add(cells.stream().map(SafeText::line).toList());
  }

  /** Returns the heads, and the cells of each row. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** Returns a line for the heads and one for each row. */
  public String text() {
    return text(UnaryOperator.identity());
  }

  /**
   * Returns a line for the heads and one for each row.
   *
   * @param ofHeads the line of the heads as it is shown, such as in colour
   */
  public String text(UnaryOperator<String> ofHeads) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.min(WIDTH_MAX, Math.max(widths[i], TextWidth.of(row.get(i))));
      }
    }
    StringBuilder text = new StringBuilder(ofHeads.apply(line(rows.get(0), widths))).append('\n');
    rows.stream().skip(1).forEach(row -> text.append(line(row, widths)).append('\n'));
    return text.toString();
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String blanks = " ".repeat(Math.max(0, widths[i] - TextWidth.of(cell)));
      boolean isFigure = i >= names && i < names + figures;
      line.append(i == 0 ? "" : GAP).append(isFigure ? blanks + cell : cell + blanks);
    }
    return line.toString().stripTrailing();
  }
}
