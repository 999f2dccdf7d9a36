package hourglass.ingest.decode;

import org.jspecify.annotations.Nullable;

/**
 * One object, or an array of objects. Nothing of a broken array is stored, because the items before
 * the break are in doubt too.
 */
final class JsonItems extends ItemCursor {
  private enum State {
    START,
    SINGLE,
    ELEMENT,
    END
  }

  private final BodyFormat format;
  private State state;
  private @Nullable String broken;

  JsonItems(Body body, BodyFormat format, FieldMapping mapping) {
    super(body, mapping);
    this.format = format;
    state = State.START;
  }

  private JsonItems(JsonItems other) {
    super(other);
    format = other.format;
    state = other.state;
    broken = other.broken;
  }

  @Override
  void begin(EventDecoder decoder) {
    decoder.format(format, mapping());
  }

  @Override
  protected boolean seek(JsonScanner json) {
    if (state != State.START) {
      return state == State.ELEMENT;
    }
    at = json.space(b, at);
    if (b[at] != '[') {
      state = at < length ? State.SINGLE : State.END;
      return at < length;
    }
    at = json.space(b, at + 1);
    if (b[at] == ']') {
      end(json, at + 1);
      return false;
    }
    state = State.ELEMENT;
    return true;
  }

  private boolean end(JsonScanner json, int from) {
    int i = json.space(b, from);
    if (i < length) {
      json.fail(i, "nothing more");
      if (state != State.SINGLE) {
        passBroken(json);
      }
      return false;
    }
    state = State.END;
    return true;
  }

  @Override
  boolean pass(JsonScanner json, int end) {
    if (state == State.SINGLE) {
      return end(json, end);
    }
    int i = json.space(b, end);
    if (b[i] == ',') {
      at = json.space(b, i + 1);
      return true;
    }
    if (b[i] == ']') {
      return end(json, i + 1);
    }
    json.fail(i, "a comma or ]");
    return false;
  }

  @Override
  void passBroken(JsonScanner json) {
    if (state != State.SINGLE) {
      broken = "body: " + notJson(json, 0, "") + "; nothing of the array is stored";
    }
    state = State.END;
  }

  @Override
  @Nullable String brokenBody() {
    return broken;
  }

  @Override
  @Nullable String brokenBodyAhead(JsonScanner json) {
    JsonItems ahead = new JsonItems(this);
    while (ahead.next(json)) {
      int end = json.value(b, ahead.at);
      if (end < 0 || !ahead.pass(json, end)) {
        ahead.passBroken(json);
      }
    }
    return ahead.broken;
  }
}
