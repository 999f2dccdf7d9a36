package hourglass.load.importing;

import hourglass.load.event.LineSplitter;
import hourglass.load.event.Lines;
import io.vertx.core.buffer.Buffer;

/** Finds lines. Each is a JSON object or text, by its first character, or all are JSON. */
final class LineItems implements Items {
  private final Handler handler;
  private final boolean areJson;
  private final LineSplitter splitter = new LineSplitter(this::line);
  private long number;

  LineItems(Handler handler, boolean areJson) {
    this.handler = handler;
    this.areJson = areJson;
  }

  @Override
  public void accept(byte[] bytes) {
    splitter.accept(Buffer.buffer(bytes));
  }

  /** Ends the input, whose last line may lack its line break. */
  @Override
  public void end() {
    if (splitter.cutOff()) {
      accept(new byte[] {'\n'});
    }
  }

  private void line(byte[] bytes, int from, int to) {
    number++;
    int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    int begin = Lines.skipSpace(bytes, from, end);
    if (begin < end) {
      handler.item(bytes, from, end, areJson || bytes[begin] == '{', number);
    }
  }
}
