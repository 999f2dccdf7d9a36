package hourglass.load.send;

import hourglass.bytes.JsonText;
import hourglass.command.FigureText;
import hourglass.load.client.Batch;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.LoadLimits;
import hourglass.load.event.LineSplitter;
import hourglass.load.event.Lines;
import hourglass.load.event.PackedInput;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The lines of an NDJSON file, recognized as plain, gzip or zstd by its first bytes. Invalid lines
 * are passed on; blank ones are left out, since no target counts them.
 *
 * @param eventsMax the most events, from the start of the file
 */
public record FileSource(Path file, int batchEvents, long eventsMax) implements BatchSource {
  private static final int READ_BYTES = 1 << 20;

  @Override
  public long events() {
    return -1;
  }

  @Override
  public boolean forEach(Predicate<Batch> taker) throws IOException {
    try (InputStream in = open()) {
      Batches batches = new Batches();
      boolean taken = true;
      while (taken && !batches.ended) {
        taken = batches.in(part(in)).stream().allMatch(taker);
      }
      return taken;
    }
  }

  private InputStream open() throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return PackedInput.open(in);
    } catch (IOException e) {
      in.close();
      throw unreadable(e);
    }
  }

  private byte[] part(InputStream in) {
    try {
      return in.readNBytes(READ_BYTES);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private LoadFailure unreadable(IOException e) {
    return new LoadFailure("%s: %s".formatted(file, e.getMessage()), e);
  }

  private final class Batches {
    private final LineSplitter splitter = new LineSplitter(this::line);
    private final JsonText text = new JsonText();
    private List<Batch> whole = List.of();
    private int lines;
    private int number;
    private long eventsBefore;
    private boolean ended;

    /** Returns the batches that end in a part of the file. An empty part ends the last one. */
    List<Batch> in(byte[] part) {
      whole = new ArrayList<>();
      ended = part.length == 0 || eventsBefore + lines == eventsMax;
      try {
        // The last line of a file may lack its line break. If the line is complete, this adds a
        // blank line, which does not count.
        splitter.accept(Buffer.buffer(ended ? new byte[] {'\n'} : part));
      } catch (LoadFailure e) {
        throw new LoadFailure(
            FigureText.format("%s: %s (event %,d)", file, e.getMessage(), eventsBefore + lines), e);
      }
      if (ended && lines > 0) {
        endBatch();
      }
      return whole;
    }

    private void line(byte[] bytes, int from, int to) {
      if (Lines.isBlank(bytes, from, to) || eventsBefore + lines == eventsMax) {
        return;
      }
      text.raw(bytes, from, to).raw('\n');
      lines++;
      if (lines == batchEvents || text.length() >= LoadLimits.BATCH_BYTES_MAX) {
        endBatch();
      }
    }

    private void endBatch() {
      whole.add(Batch.plain(number++, eventsBefore, lines, Buffer.buffer(text.toBytes())));
      eventsBefore += lines;
      lines = 0;
      text.clear();
    }
  }
}
