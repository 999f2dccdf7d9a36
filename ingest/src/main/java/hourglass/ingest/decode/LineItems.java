package hourglass.ingest.decode;

/** One item a line. A broken line does not affect the others. */
final class LineItems extends ItemCursor {
  private final BodyFormat format;

  LineItems(Body body, BodyFormat format, FieldMapping mapping) {
    super(body, mapping);
    this.format = format;
  }

  @Override
  void begin(EventDecoder decoder) {
    decoder.format(format, mapping());
  }

  @Override
  protected boolean seek(JsonScanner json) {
    at = json.space(b, at);
    while (b[at] == '\n') {
      at = json.space(b, at + 1);
    }
    return at < length;
  }

  @Override
  boolean pass(JsonScanner json, int end) {
    int i = json.space(b, end);
    if (b[i] == '\n' || i >= length) {
      at = i;
      return true;
    }
    json.fail(i, "the end of the line");
    return false;
  }

  @Override
  protected boolean isAtEnd(int position) {
    return super.isAtEnd(position) || b[position] == '\n';
  }

  @Override
  int brokenEnd() {
    return at;
  }

  @Override
  void passBroken(JsonScanner json) {
    while (at < length && b[at] != '\n') {
      at++;
    }
  }
}
