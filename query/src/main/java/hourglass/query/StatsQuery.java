package hourglass.query;

/** A query for statistics of the numbers in a field; its path begins at the root of the payload. */
public record StatsQuery(Selection selection, String path, boolean byType) {}
