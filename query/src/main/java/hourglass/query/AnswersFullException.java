package hourglass.query;

/** The answers under way hold all the memory they may. A retry may soon succeed. */
public final class AnswersFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public AnswersFullException(long max) {
    super(
        "the answers under way hold as much of the %d bytes of query.max-answer-bytes as they may;"
                .formatted(max)
            + " try again, or ask for fewer types or a shorter range");
  }
}
