package hourglass.query;

/** An answer, with the facts about the rows that it was counted from. */
public record Counted<T>(T value, AnswerFacts facts) {}
