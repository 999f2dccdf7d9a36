package hourglass.query;

import hourglass.access.Refusal;
import hourglass.access.RefusedException;

/** The answers that are being sent hold all the memory that they may. A retry may soon succeed. */
public final class AnswersFullException extends RefusedException {
  private static final long serialVersionUID = 1L;

  public AnswersFullException(long max) {
    super(
        Refusal.TOO_MUCH,
        "the answers under way hold as much of the %d bytes of query.max-answer-bytes as they may;"
                .formatted(max)
            + " try again, or ask for fewer types or a shorter range",
        null);
  }
}
