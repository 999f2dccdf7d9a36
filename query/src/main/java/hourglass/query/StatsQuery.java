package hourglass.query;

/**
 * A query for statistics of the numbers in a field.
 *
 * @param path the field, as a path from the root of the payload
 */
public record StatsQuery(Selection selection, String path, boolean byType) {}
