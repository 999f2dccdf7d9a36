package hourglass.query.where;

/** An invalid expression; the message states the place and the reason. */
public final class WhereException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  WhereException(String message) {
    super(message);
  }
}
