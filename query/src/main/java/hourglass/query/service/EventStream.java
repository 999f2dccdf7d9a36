package hourglass.query.service;

import hourglass.access.Failures;
import hourglass.query.AnswerBody;
import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.Progress;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventEncoder;
import hourglass.query.encode.EventFormat;
import hourglass.query.scan.EventScan;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.store.Columns;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that contains events. While the client does not read, it holds only slices.
 */
public final class EventStream implements AnswerBody {
  /**
   * The scan of the events. It is known from the start, unless the first event of a page is still
   * searched for.
   */
  private final CompletableFuture<EventScan> scan;

  private final Runnable cancelSearch;
  private final EventEncoder encoder;

  /** The lines of progress; null if the answer contains none. */
  private final @Nullable ProgressLines lines;

  private boolean begun;
  private byte @Nullable [] tail;
  private byte[] untold = ProgressLines.NONE;
  private volatile boolean cancelled;
  private Chunk out = new Chunk(0);

  /** The {@code cancelSearch} ends the search for the scan; it may be called from any thread. */
  EventStream(
      CompletableFuture<EventScan> scan,
      Runnable cancelSearch,
      EventFormat format,
      CsvTable table,
      @Nullable ProgressLines lines) {
    this.scan = scan;
    this.cancelSearch = cancelSearch;
    this.lines = lines;
    this.encoder = format.encoder(table, () -> cancelled);
  }

  @Override
  public Progress fill(Chunk chunk) {
    if (cancelled) {
      return Progress.DONE;
    }
    if (!scan.isDone()) {
      return Progress.WAITING;
    }
    if (!begun) {
      begun = true;
      chunk.append(encoder.begin());
    }
    out = chunk;
    if (tail == null) {
      if (!tellProgress(chunk)) {
        return Progress.FULL;
      }
      Progress progress = advance();
      if (progress != Progress.DONE) {
        return progress;
      }
      tail = lines == null ? encoder.end(facts()) : lines.last(scan.join());
    }
    if (!chunk.hasRoom(tail.length)) {
      return Progress.FULL;
    }
    chunk.append(tail);
    return Progress.DONE;
  }

  /** Adds the line of progress if one is due. Returns false if the chunk has no room for it. */
  private boolean tellProgress(Chunk chunk) {
    if (lines == null) {
      return true;
    }
    if (untold.length == 0) {
      untold = lines.next(scan.join());
    }
    if (!chunk.hasRoom(untold.length)) {
      return false;
    }
    chunk.append(untold);
    untold = ProgressLines.NONE;
    return true;
  }

  private Progress advance() {
    try {
      return scan.join().advance(this::write);
    } catch (CompletionException e) {
      throw Failures.unchecked(e);
    }
  }

  private EventSink.Verdict write(RowReader row, Columns columns, int i) {
    if (!out.hasRoom(encoder.bytesMax(row.text(), columns, i))) {
      return EventSink.Verdict.FULL;
    }
    out.writtenTo(encoder.write(row.text(), columns, i, out.bytes(), out.length()));
    return EventSink.Verdict.TAKEN;
  }

  @Override
  public void whenReady(Runnable wake) {
    CompletionStage<?> awaited = known().<CompletionStage<?>>map(EventScan::awaited).orElse(scan);
    awaited.whenComplete((answer, failure) -> wake.run());
  }

  @Override
  public AnswerFacts facts() {
    return scan.join().facts();
  }

  /** Returns the scan, unless it is still searched for or could not be found. */
  private Optional<EventScan> known() {
    return scan.isDone() && !scan.isCompletedExceptionally()
        ? Optional.of(scan.join())
        : Optional.empty();
  }

  @Override
  public boolean hasFound() {
    return lines != null || known().map(EventScan::hasFound).orElse(false);
  }

  @Override
  public long rowsRead() {
    return known().map(EventScan::rowsAsked).orElse(0L);
  }

  @Override
  public long columnsRead() {
    return known().map(EventScan::columnsRead).orElse(0L);
  }

  @Override
  public void dropAhead() {
    known().ifPresent(EventScan::dropAhead);
  }

  @Override
  public void cancel() {
    cancelled = true;
    cancelSearch.run();
    known().ifPresent(EventScan::cancel);
  }
}
