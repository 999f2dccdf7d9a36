package hourglass.config.gate;

/** Thrown for a request that is refused, with its status and the remedy. */
public final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String detail;

  RefusedRequest(int status, String detail) {
    super(detail, null, false, false);
    this.status = status;
    this.detail = detail;
  }

  static RefusedRequest bad(String detail) {
    return new RefusedRequest(400, detail);
  }

  public int status() {
    return status;
  }

  /** Returns the reason and the remedy, for the client to read. */
  public String detail() {
    return detail;
  }
}
