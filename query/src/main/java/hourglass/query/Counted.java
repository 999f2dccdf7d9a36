package hourglass.query;

/**
 * An answer that was counted from rows.
 *
 * @param value the answer
 * @param facts the rows behind it
 */
public record Counted<T>(T value, AnswerFacts facts) {}
