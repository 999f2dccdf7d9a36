package hourglass.query;

/**
 * What to say of the numbers of a field.
 *
 * @param selection of which events
 * @param path to the field, from the payload on
 * @param byType whether of each type apart
 */
public record StatsQuery(Selection selection, String path, boolean byType) {}
