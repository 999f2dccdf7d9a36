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

  /** The first and the last character of each range that is wide (Unicode, East Asian Width). */
  private static final int[] WIDE = {
    0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3,
    0xf900, 0xfaff, 0xfe30, 0xfe6f, 0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f680,
    0x1f6ff, 0x1f900, 0x1f9ff, 0x20000, 0x3fffd
  };

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
        widths[i] = Math.min(WIDTH_MAX, Math.max(widths[i], width(row.get(i))));
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
      String blanks = " ".repeat(Math.max(0, widths[i] - width(cell)));
      boolean isFigure = i >= names && i < names + figures;
      line.append(i == 0 ? "" : GAP).append(isFigure ? blanks + cell : cell + blanks);
    }
    return line.toString().stripTrailing();
  }

  /**
   * Returns how many cells of a terminal a text fills, as wcwidth does: two for a wide character of
   * East Asia or a pictograph, none for a mark that combines with the character before it.
   */
  private static int width(String text) {
    return text.codePoints().map(Table::width).sum();
  }

  private static int width(int character) {
    if (character < WIDE[0]) {
      return isMark(character) ? 0 : 1;
    }
    for (int i = 0; i < WIDE.length; i += 2) {
      if (character >= WIDE[i] && character <= WIDE[i + 1]) {
        return 2;
      }
    }
    return isMark(character) ? 0 : 1;
  }

  private static boolean isMark(int character) {
    int type = Character.getType(character);
    return type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK;
  }
}
