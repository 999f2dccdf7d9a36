package hourglass.query.encode;

import java.util.List;

/**
 * The form of a csv answer.
 *
 * @param safe whether cells that spreadsheets would run as formulas get an apostrophe; see {@link
 *     FormulaGuard}
 */
public record CsvTable(List<CsvField> fields, boolean safe) {
  /** The form for a query that names no columns. */
  public static final CsvTable STANDARD = new CsvTable(CsvField.standard(), false);

  public CsvTable {
    fields = List.copyOf(fields);
  }
}
