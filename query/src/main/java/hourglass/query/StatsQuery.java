package hourglass.query;

/**
 * A query for statistics of the numbers in a field.
 *
 * @param path the field, as a path from the root of the payload
 * @param byType whether each type has its own statistics
 */
public record StatsQuery(Selection selection, String path, boolean byType) {}
