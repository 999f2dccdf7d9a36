package hourglass.query.erasure;

/** A token that opens no dry run. */
public final class TokenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Why why;

  /** The reason. */
  public enum Why {
    /** No dry run of this client gave it, or it was forgotten since. */
    UNKNOWN,
    /** It has begun an erasure, or is about to. */
    USED,
    /** It is too old. */
    EXPIRED
  }

  TokenException(Why why, String message) {
    super(message);
    this.why = why;
  }

  public Why why() {
    return why;
  }
}
