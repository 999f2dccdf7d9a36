package hourglass.load.event;

import hourglass.bytes.LineBreaks;
import hourglass.command.FigureText;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.function.Consumer;

/** Cuts buffers into lines. A line is only valid while its handler runs. */
public final class LineSplitter implements Consumer<Buffer> {
  /** Receives the bytes [from, to) of a line, without its line break. */
  @FunctionalInterface
  public interface LineHandler {
    void line(byte[] bytes, int from, int to);
  }

  private final LineHandler handler;
  private byte[] pending = new byte[0];

  public LineSplitter(LineHandler handler) {
    this.handler = handler;
  }

  @Override
  public void accept(Buffer part) {
    byte[] bytes = Arrays.copyOf(pending, pending.length + part.length());
    part.getBytes(bytes, pending.length);
    int from = 0;
    int end = LineBreaks.lineFeed(bytes, pending.length, bytes.length);
    while (end >= 0) {
      handler.line(bytes, from, end);
      from = end + 1;
      end = LineBreaks.lineFeed(bytes, from, bytes.length);
    }
    pending = Arrays.copyOfRange(bytes, from, bytes.length);
    if (pending.length > LoadLimits.LINE_BYTES_MAX) {
      throw new LoadFailure(
          FigureText.format("a line of more than %,d bytes", LoadLimits.LINE_BYTES_MAX));
    }
  }

  public boolean cutOff() {
    return pending.length > 0;
  }
}
