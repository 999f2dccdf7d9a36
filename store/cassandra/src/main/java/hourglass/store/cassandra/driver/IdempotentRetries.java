package hourglass.store.cassandra.driver;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryVerdict;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import io.micrometer.core.instrument.Counter;

/**
 * Retries a request that timed out, once and on another node. All statements of the engine are
 * idempotent, which the driver's default policy does not assume of writes.
 */
public final class IdempotentRetries extends DefaultRetryPolicy {
  private final Counter retries;

  public IdempotentRetries(DriverContext context, String profile, Counter retries) {
    super(context, profile);
    this.retries = retries;
  }

  @Override
  public RetryVerdict onReadTimeoutVerdict(
      Request request,
      ConsistencyLevel level,
      int blockFor,
      int received,
      boolean dataPresent,
      int retryCount) {
    return onceMore(retryCount);
  }

  @Override
  public RetryVerdict onWriteTimeoutVerdict(
      Request request,
      ConsistencyLevel level,
      WriteType writeType,
      int blockFor,
      int received,
      int retryCount) {
    return onceMore(retryCount);
  }

  private RetryVerdict onceMore(int retryCount) {
    if (retryCount > 0) {
      return RetryVerdict.RETHROW;
    }
    retries.increment();
    return RetryVerdict.RETRY_NEXT;
  }
}
