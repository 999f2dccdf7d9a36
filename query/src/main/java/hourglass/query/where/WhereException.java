package hourglass.query.where;

/** An expression that cannot be used; the message explains where and why. */
public final class WhereException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  WhereException(String message) {
    super(message);
  }
}
