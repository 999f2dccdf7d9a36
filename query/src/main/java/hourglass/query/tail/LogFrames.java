package hourglass.query.tail;

import com.google.common.collect.ImmutableList;
import hourglass.bucketing.Ticks;
import hourglass.query.Chunk;
import hourglass.query.Gaps;
import hourglass.query.loki.LogFilter;
import hourglass.query.loki.LogStreams;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Formats the events of a tail as frames of Loki's WebSocket, each a line:
 *
 * <pre>
 * {"streams":[{"stream":{"app":"shop"},"values":[["1795434770000000001","a line"]]}]}
 * </pre>
 *
 * Loki has no positions, so a client cannot resume. Not thread-safe.
 */
final class LogFrames implements TailForm {
  private static final byte[] NONE = {};
  private static final byte[] BEGIN = ascii("{\"streams\":[");
  private static final byte[] END = ascii("]}\n");

  private static final long NANOS_PER_TICK = 100;

  private final LogFilter lines;
  private final boolean beginsWhole;

  /** If {@code beginsWhole} is false, lines before the first one may be missing. */
  LogFrames(LogFilter lines, boolean beginsWhole) {
    this.lines = lines;
    this.beginsWhole = beginsWhole;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public boolean write(TailEvent event, TailPosition after, Chunk out) {
    LogStreams streams = new LogStreams(lines, false, 0, () -> false, bytes -> {});
    streams.take(event.row().type(), event.column(), 0);
    List<byte[]> pieces = ImmutableList.copyOf(streams.pieces());
    int bytes = pieces.stream().mapToInt(piece -> piece.length).sum();
    if (!out.hasRoom(BEGIN.length + bytes + END.length)) {
      return false;
    }
    out.append(BEGIN);
    pieces.forEach(out::append);
    out.append(END);
    return true;
  }

  @Override
  public byte[] greeting(TailPosition position) {
    return beginsWhole ? NONE : dropped(position);
  }

  @Override
  public byte[] beat(TailPosition position) {
    return NONE; // there are pings
  }

  @Override
  public byte[] missed(TailPosition from, TailPosition to, String link) {
    return dropped(to);
  }

  @Override
  public byte[] gap(TailPosition position) {
    return dropped(position);
  }

  @Override
  public byte[] gap(TailPosition position, Gaps gaps) {
    return dropped(position);
  }

  @Override
  public byte[] failed(TailEvent event, TailPosition after, String detail) {
    return dropped(after);
  }

  /** Reports that some lines up to a position are missing; clients show this. */
  private static byte[] dropped(TailPosition position) {
    long nanos = (position.name().ticks() - Ticks.UNIX_EPOCH) * NANOS_PER_TICK;
    return ascii(
        "{\"streams\":[],\"dropped_entries\":[{\"labels\":{},\"timestamp\":\"" + nanos + "\"}]}\n");
  }
}
