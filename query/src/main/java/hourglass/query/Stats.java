package hourglass.query;

import hourglass.query.values.NumberSummary;
import java.util.List;

/**
 * Statistics of the numbers in a field.
 *
 * @param path from the root of the payload
 * @param grouping of the query
 * @param series one summary for each step; of groups with events, or of all events
 */
public record Stats(
    String path, Steps steps, Grouping grouping, Grouped<List<NumberSummary>> series) {}
