package hourglass.query;

import hourglass.query.values.NumberSummary;
import java.util.List;

/**
 * What is said of the numbers of a field.
 *
 * @param path to the field, from the payload on
 * @param series one a type that has events, sorted by type, or a single one for all types
 */
public record Stats(String path, List<Series> series) {

  /**
   * The numbers of a type.
   *
   * @param type the type, or empty for all types together
   * @param summary what is said of them
   */
  public record Series(String type, NumberSummary summary) {}
}
