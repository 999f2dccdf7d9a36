package hourglass.query;

import hourglass.query.values.TopValues;

/**
 * The most frequent values of a field.
 *
 * @param path from the root of the payload
 * @param grouping of the query
 */
public record Top(String path, Grouping grouping, Grouped<TopValues> series) {}
