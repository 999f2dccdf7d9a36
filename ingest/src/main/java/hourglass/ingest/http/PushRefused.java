package hourglass.ingest.http;

import hourglass.ingest.decode.Reason;
import org.jspecify.annotations.Nullable;

/** A push that is answered with a problem instead of verdicts. */
final class PushRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  final int status;
  final @Nullable String header;
  final @Nullable String value;

  PushRefused(int status, String detail) {
    this(status, detail, null, null);
  }

  PushRefused(int status, String detail, @Nullable String header, @Nullable String value) {
    super(detail, null, false, false);
    this.status = status;
    this.header = header;
    this.value = value;
  }

  static PushRefused tooMany() {
    return new PushRefused(429, "too many bytes in flight, try again", "Retry-After", "1");
  }

  /** Another request needed the memory of this body. */
  static PushRefused crowdedOut() {
    return new PushRefused(
        429,
        "body: too slow, or too much from this address while others wait; try again",
        "Retry-After",
        "1");
  }

  static PushRefused tooLarge(int maxBodyBytes) {
    return new PushRefused(
        413, "body: more than " + maxBodyBytes + " bytes, unpacked; send it in parts");
  }

  String detail() {
    return String.valueOf(getMessage());
  }

  /** Null if a repeat of the request may succeed. */
  @Nullable Reason reason() {
    return switch (status) {
      case 400 -> Reason.REQUEST;
      case 413 -> Reason.BODY_BYTES;
      case 415 -> Reason.BODY_KIND;
      default -> null;
    };
  }
}
