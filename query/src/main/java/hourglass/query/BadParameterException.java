package hourglass.query;

import org.jspecify.annotations.Nullable;

/** An invalid parameter of a query; the message states the parameter and the reason. */
public class BadParameterException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public BadParameterException(String message) {
    super(message);
  }

  public BadParameterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public static BadParameterException of(String name, String value, String allowed) {
    return new BadParameterException(name + ": \"" + value + "\" is not " + allowed);
  }
}
