package hourglass.config.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table of cells. Some columns are aligned left, those of figures right, and the last one left.
 */
final class Table {
  private static final String GAP = "  ";

  /** The widest column. Wider cells, such as long texts of events, shift only their own line. */
  private static final int WIDTH_MAX = 60;

  private final int left;
  private final int right;
  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table from the heads of its columns. */
  Table(List<String> left, List<String> right, String... last) {
    this.left = left.size();
    this.right = right.size();
    List<String> heads = new ArrayList<>(left);
    heads.addAll(right);
    heads.addAll(Arrays.asList(last));
    rows.add(heads);
  }

  /** Adds a row of cells, from left to right. */
  void add(List<String> cells) {
    rows.add(cells.stream().map(SafeText::line).toList());
  }

  /** Returns a line for the heads and one for each row. */
  String text(Colours colours) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.min(WIDTH_MAX, Math.max(widths[i], width(row.get(i))));
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      String line = line(row, widths);
      text.append(row == rows.get(0) ? colours.head(line) : line).append('\n');
    }
    return text.toString();
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String blanks = " ".repeat(Math.max(0, widths[i] - width(cell)));
      boolean isFigure = i >= left && i < left + right;
      line.append(i == 0 ? "" : GAP).append(isFigure ? blanks + cell : cell + blanks);
    }
    return line.toString().stripTrailing();
  }

  private static int width(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
