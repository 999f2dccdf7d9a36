package hourglass.access;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A client asks for more than its {@link Limits}. No part of the request was done. */
public final class LimitExceededException extends RefusedException {
  private static final long serialVersionUID = 1L;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String limit;
  private final long retryAfterSeconds;

  LimitExceededException(String limit, long most, long waitNanos) {
    super(Refusal.TOO_MUCH, detail(limit, most, seconds(waitNanos)));
    this.limit = limit;
    retryAfterSeconds = seconds(waitNanos);
  }

  private static String detail(String limit, long most, long seconds) {
    return "limits.%s = %d: this client is above it; try again in %d s"
        .formatted(limit, most, seconds);
  }

  private static long seconds(long waitNanos) {
    return Math.max(1, (waitNanos + SECOND_NANOS - 1) / SECOND_NANOS);
  }

  /** Returns the name of the setting, such as {@code events-per-second}. */
  public String limit() {
    return limit;
  }

  /** Returns the time until the same request may pass, if the client sends no other. */
  public long retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  public Duration retryAfter() {
    return Duration.ofSeconds(retryAfterSeconds);
  }
}
