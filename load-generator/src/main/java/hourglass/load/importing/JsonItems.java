package hourglass.load.importing;

import hourglass.bytes.JsonText;
import hourglass.bytes.LineBreaks;
import hourglass.command.FigureText;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import hourglass.load.event.Lines;

/**
 * Finds JSON values in a series or in an array, and puts each on one line. Only their ends are
 * found here, by brackets and quotes; the server reads them.
 */
final class JsonItems implements Items {
  /**
   * The character that replaces a line break within a string. It is invalid there too, so the
   * server refuses it.
   */
  private static final char WRONG_IN_STRING = 0x0b;

  private final boolean isArray;
  private final Handler handler;
  private final JsonText value = new JsonText();
  private long number;
  private int depth;
  private boolean isInString;
  private boolean isEscaped;
  private boolean hasBegun;
  private boolean hasEnded;

  JsonItems(boolean isArray, Handler handler) {
    this.isArray = isArray;
    this.handler = handler;
  }

  @Override
  public void accept(byte[] bytes) {
    for (byte each : bytes) {
      accept((char) (each & 0xff));
    }
    if (value.length() > LoadLimits.LINE_BYTES_MAX) {
      throw new LoadFailure(
          FigureText.format(
              "event %,d has more than %,d bytes", number + 1, LoadLimits.LINE_BYTES_MAX));
    }
  }

  private void accept(char c) {
    if (isInString) {
      value.raw(LineBreaks.isBreak(c) ? WRONG_IN_STRING : c);
      isInString = isEscaped || c != '"';
      isEscaped = !isEscaped && c == '\\';
    } else if (Lines.isSpace(c)) {
      if (value.length() > 0) {
        value.raw(' ');
      }
    } else if (depth == 0 && isArray && !hasBegun) {
      hasBegun = true; // the bracket by which the form was recognized
    } else if (hasEnded) {
      throw new LoadFailure("the array has ended, and more follows");
    } else if (depth == 0 && isArray && (c == ',' || c == ']')) {
      endValue();
      hasEnded = c == ']';
    } else {
      valuePart(c);
    }
  }

  private void valuePart(char c) {
    value.raw(c);
    isInString = c == '"';
    if (c == '{' || c == '[') {
      depth++;
    } else if (c == '}' || c == ']') {
      depth = Math.max(0, depth - 1);
      if (depth == 0 && !isArray) {
        endValue();
      }
    }
  }

  private void endValue() {
    if (value.length() > 0) {
      int end = Lines.trimEnd(value.bytes(), 0, value.length());
      handler.item(value.bytes(), 0, end, true, ++number);
      value.clear();
    }
  }

  @Override
  public void end() {
    boolean isWhole = isArray ? hasEnded : value.length() == 0;
    if (!isWhole) {
      throw new LoadFailure(FigureText.format("it ends too early, after %,d whole events", number));
    }
  }
}
