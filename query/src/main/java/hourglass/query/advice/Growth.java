package hourglass.query.advice;

/**
 * How fast a row grows.
 *
 * @param columnsPerSecond the mean over that time, 0 or more
 * @param overSeconds how long the time was that ended now: some seconds if the row was looked at
 *     before, else since the row's first column
 */
public record Growth(double columnsPerSecond, double overSeconds) {}
