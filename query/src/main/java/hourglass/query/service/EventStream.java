package hourglass.query.service;

import hourglass.query.AnswerFacts;
import hourglass.query.Chunk;
import hourglass.query.encode.EventEncoder;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerOutput;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.EventScan;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.store.Columns;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer that contains events. While the client does not read, it holds only slices.
 */
public final class EventStream implements AnswerBody {
  /** The number of written events between two looks for a line of progress. */
  private static final int LINE_EVERY = 16;

  /** Finds the scan of the events; it may read the store. */
  private final Function<QueryThread, EventScan> search;

  private final EventEncoder encoder;

  /** The lines of progress; null if the answer contains none. */
  private final @Nullable ProgressLines lines;

  /** The scan of the events; null until it is found. */
  private volatile @Nullable EventScan scan;

  private int written;

  EventStream(
      Function<QueryThread, EventScan> search,
      EventEncoder encoder,
      @Nullable ProgressLines lines) {
    this.search = search;
    this.encoder = encoder;
    this.lines = lines;
  }

  @Override
  public AnswerFacts write(AnswerOutput out, QueryThread thread) {
    EventScan found = search.apply(thread);
    scan = found;
    out.append(encoder.begin());
    writeDue(out);
    found.forEach((row, columns, i) -> write(out, found, row, columns, i, thread), thread);
    AnswerFacts facts = found.facts(thread);
    out.append(lines == null ? encoder.end(facts) : lines.last(found));
    return facts;
  }

  private EventSink.Verdict write(
      AnswerOutput out,
      EventScan found,
      RowReader row,
      Columns columns,
      int i,
      QueryThread thread) {
    if (lines != null && ++written % LINE_EVERY == 0) {
      writeDue(out);
    }
    Chunk chunk = out.room(encoder.bytesMax(row.text(), columns, i));
    if (chunk.length() == 0 && found.mustReadAgain(thread)) { // it may have waited for the client
      return EventSink.Verdict.AGAIN;
    }
    chunk.writtenTo(encoder.write(row.text(), columns, i, chunk.bytes(), chunk.length()));
    return EventSink.Verdict.TAKEN;
  }

  @Override
  public void writeDue(AnswerOutput out) {
    EventScan known = scan;
    if (lines != null && known != null) {
      out.append(lines.next(known));
    }
  }

  private Optional<EventScan> known() {
    return Optional.ofNullable(scan);
  }

  @Override
  public boolean hasFound() {
    return lines != null || known().map(EventScan::hasFound).orElse(false);
  }

  @Override
  public void dropAhead() {
    known().ifPresent(EventScan::dropAhead);
  }
}
