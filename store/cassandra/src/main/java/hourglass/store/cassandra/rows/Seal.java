package hourglass.store.cassandra.rows;

/**
 * The pages of a sealed row, as the directory names them.
 *
 * @param number greater for each seal of a row
 * @param retentionClass whose table has the pages
 * @param columns of all its pages, so that no missing one goes unseen
 * @param isWhole whether the row has no other columns
 */
public record Seal(long number, RetentionClass retentionClass, long columns, boolean isWhole) {}
