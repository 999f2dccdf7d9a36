package hourglass.query;

/**
 * An answer that was counted up from rows.
 *
 * @param value the answer
 * @param facts which rows it stands on
 */
public record Counted<T>(T value, AnswerFacts facts) {}
