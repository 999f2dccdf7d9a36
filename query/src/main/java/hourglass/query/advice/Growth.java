package hourglass.query.advice;

/**
 * The rate at which a row grows.
 *
 * @param columnsPerSecond mean rate over the period, 0 or more
 * @param overSeconds length of the period that ends now: some seconds if the row was observed
 *     before, otherwise since the row's first column
 */
public record Growth(double columnsPerSecond, double overSeconds) {}
