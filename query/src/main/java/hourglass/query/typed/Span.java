package hourglass.query.typed;

/** The characters {@code [from, to)} of a typed filter, counted in units of UTF-16. */
public record Span(int from, int to) {
  Span until(Span last) {
    return new Span(from, last.to);
  }
}
