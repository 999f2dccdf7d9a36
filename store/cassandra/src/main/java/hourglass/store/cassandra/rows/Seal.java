package hourglass.store.cassandra.rows;

/**
 * The pages of a sealed row, as the directory names them.
 *
 * @param number greater for each seal of a row
 * @param retentionClass the class whose table contains the pages
 * @param columns the number of columns in all its pages, which reveals a missing page
 * @param isWhole whether the row has no other columns
 */
public record Seal(long number, RetentionClass retentionClass, long columns, boolean isWhole) {}
