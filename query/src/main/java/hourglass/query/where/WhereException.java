package hourglass.query.where;

/** An expression that cannot be used; the message names the position and what is allowed. */
public final class WhereException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  WhereException(String message) {
    super(message);
  }
}
