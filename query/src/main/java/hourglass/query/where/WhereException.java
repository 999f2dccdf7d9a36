package hourglass.query.where;

/** An unusable expression; the message explains where and why. */
public final class WhereException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  WhereException(String message) {
    super(message);
  }
}
