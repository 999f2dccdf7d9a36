package hourglass.query;

import hourglass.query.values.NumberSummary;
import java.util.List;

/**
 * Statistics of the numbers in a field.
 *
 * @param path from the root of the payload
 * @param series one for each type with events, sorted by type, or a single one for all types
 */
public record Stats(String path, List<Series> series) {

  /** The statistics of a type, which is empty for all types together. */
  public record Series(String type, NumberSummary summary) {}
}
