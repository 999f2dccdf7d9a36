package hourglass.query.http;

import java.time.Duration;

/** A query that exceeded {@code query.timeout}. */
final class QueryTimeoutException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  QueryTimeoutException(long timeoutMillis) {
    super(
        "query.timeout: the query ran for more than %s s; want a shorter range, fewer types, or a"
                .formatted(Duration.ofMillis(timeoutMillis).toMillis() / 1000.0)
            + " limit");
  }
}
