package hourglass.ingest.http;

import hourglass.access.Failures;
import hourglass.access.Refusal;
import hourglass.ingest.decode.Reason;
import hourglass.store.TooLargeException;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/** A push that is answered with a problem instead of verdicts. */
public final class PushRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final String RETRY_AFTER = "Retry-After";

  private final int status;
  private final @Nullable String header;
  private final @Nullable String value;

  /**
   * Creates a refusal of a request that would be refused again, unless the status means otherwise.
   *
   * @param status the HTTP status
   * @param detail the reason, for the sender to read
   */
  public PushRefused(int status, String detail) {
    this(status, detail, null, null);
  }

  PushRefused(int status, String detail, @Nullable String header, @Nullable String value) {
    this(status, detail, header, value, null);
  }

  private PushRefused(
      int status,
      String detail,
      @Nullable String header,
      @Nullable String value,
      @Nullable Throwable cause) {
    super(detail, cause, false, false);
    this.status = status;
    this.header = header;
    this.value = value;
  }

  /** Returns a refusal after which a repeat may succeed, so many seconds later. */
  public static PushRefused later(int status, String detail, long seconds) {
    return new PushRefused(status, detail, RETRY_AFTER, Long.toString(seconds));
  }

  /**
   * Returns the refusal that a failure becomes, with the failure as its cause; null for a defect.
   */
  static @Nullable PushRefused of(Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof PushRefused known) {
      return known;
    }
    if (cause instanceof TooLargeException) {
      return new PushRefused(413, Refusal.message(cause));
    }
    Refusal refusal = Refusal.of(cause);
    if (refusal == null) {
      return null;
    }
    String seconds = refusal.passes() ? Long.toString(Refusal.retryAfterSeconds(cause)) : null;
    return new PushRefused(refusal.status(), Refusal.message(cause), RETRY_AFTER, seconds, cause);
  }

  /** Returns the refusal with a {@code Retry-After} of at most so many seconds. */
  PushRefused within(long secondsMax) {
    return RETRY_AFTER.equals(header) && value != null && Long.parseLong(value) > secondsMax
        ? new PushRefused(status, detail(), RETRY_AFTER, Long.toString(secondsMax), getCause())
        : this;
  }

  static PushRefused tooMany() {
    return later(429, "too many bytes in flight, try again", 1);
  }

  /** Returns the refusal of a body whose memory another request needed. */
  static PushRefused crowdedOut() {
    return later(
        429, "body: too slow, or too much from this address while others wait; try again", 1);
  }

  static PushRefused tooLarge(int maxBodyBytes) {
    return new PushRefused(
        413, "body: more than " + maxBodyBytes + " bytes, unpacked; send it in parts");
  }

  public int status() {
    return status;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }

  /**
   * Returns whether the same request may succeed later: in overload, or while the store is away.
   */
  public boolean isTransient() {
    return status == 429 || status == 408 || status >= 500;
  }

  /** Adds {@code Retry-After} or another header of the refusal, if there is one. */
  public void putHeader(HttpServerResponse response) {
    if (header != null && value != null) {
      response.putHeader(header, value);
    }
  }

  /** Returns the reason for the metrics; null if a repeat of the request may succeed. */
  @Nullable Reason reason() {
    return switch (status) {
      case 400 -> Reason.REQUEST;
      case 413 -> Reason.BODY_BYTES;
      case 415 -> Reason.BODY_KIND;
      default -> null;
    };
  }
}
