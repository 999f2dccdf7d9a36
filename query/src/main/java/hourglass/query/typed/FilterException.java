package hourglass.query.typed;

import hourglass.query.BadParameterException;
import org.jspecify.annotations.Nullable;

/** A typed filter that cannot be read, with the place, the reason and perhaps a correction. */
public final class FilterException extends BadParameterException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final int from;
  private final int to;
  private final @Nullable String fix;

  private FilterException(
      String message, String reason, Span at, @Nullable String fix, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.from = at.from();
    this.to = at.to();
    this.fix = fix;
  }

  /** Returns an exception; {@code fix} is the whole corrected filter, or null if it is unknown. */
  static FilterException of(String filter, Span at, String reason, @Nullable String fix) {
    return of(filter, at, reason, fix, null);
  }

  static FilterException of(
      String filter, Span at, String reason, @Nullable String fix, @Nullable Throwable cause) {
    int column = filter.codePointCount(0, Math.min(at.from(), filter.length())) + 1;
    String advice = fix == null ? "" : "; did you mean: " + fix;
    String message = "q: \"%s\": column %d: %s%s".formatted(filter, column, reason, advice);
    return new FilterException(message, reason, at, fix, cause);
  }

  public String reason() {
    return reason;
  }

  /** The characters with the mistake, counted in units of UTF-16. */
  public Span at() {
    return new Span(from, to);
  }

  /** The whole corrected filter; null if it is unknown. */
  public @Nullable String fix() {
    return fix;
  }
}
