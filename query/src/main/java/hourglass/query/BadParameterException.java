package hourglass.query;

/** A question that cannot be answered as it was put; the message says which part and why. */
public final class BadParameterException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The message begins with the parameter's name and ends with what is allowed. */
  public BadParameterException(String message) {
    super(message);
  }

  public static BadParameterException of(String name, String value, String allowed) {
    return new BadParameterException(name + ": \"" + value + "\" is not " + allowed);
  }
}
