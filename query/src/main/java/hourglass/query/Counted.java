package hourglass.query;

/** An answer that was counted from rows. */
public record Counted<T>(T value, AnswerFacts facts) {}
