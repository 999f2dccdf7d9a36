package hourglass.query.tail;

import hourglass.access.TypePatterns;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.BadParameterException;
import hourglass.query.Chunk;
import hourglass.query.EventCursor;
import hourglass.query.EventPosition;
import hourglass.query.Gaps;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.scan.EventFilter;
import hourglass.store.DroppedHours;
import hourglass.store.Order;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The tail of one client, written in a form at the client's pace. An idle tail keeps only its
 * position. Used by one thread at a time, except {@link #close}.
 */
public final class Tail implements AutoCloseable {
  /** The number of reported names after which some may be reported again. */
  private static final int REPORTED_MAX = 1_000;

  private final TailSteps steps;
  private final Selection selection;
  private final TypePatterns types;
  private final @Nullable EventFilter filter;
  private final TailForm text;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Set<String> reportedMissing = new HashSet<>();
  private DroppedHours reportedDropped = DroppedHours.NONE;
  private TailPosition position;

  /**
   * The position as the client may know it, without the name of a hidden type. Between this and
   * {@link #position} are hidden events, and visible ones of the same name that arrived late.
   */
  private TailPosition shown;

  private @Nullable TailStep step;
  private int next;

  Tail(
      TailService service,
      Selection selection,
      TypePatterns types,
      @Nullable EventFilter filter,
      TailForm text,
      TailPosition position) {
    this.steps = new TailSteps(service);
    this.text = text;
    this.selection = selection;
    this.types = types;
    this.filter = filter == null ? null : filter.until(closed::get);
    this.position = position;
    this.shown = position.at(position.name(), "");
    this.shown = shown(position);
  }

  /**
   * Writes available events.
   *
   * @return FULL, PAUSED, WAITING (see {@link #whenReady}) or, once closed, DONE
   * @throws RuntimeException as the store failed
   */
  @SuppressWarnings("ReferenceEquality") // a step that was read again is another one
  public Progress fill(Chunk chunk) {
    if (closed.get()) {
      return Progress.DONE;
    }
    TailStep current = steps.take(position, step);
    if (current == null) {
      return Progress.WAITING;
    }
    if (current != step) {
      step = null;
      TailPosition head = steps.skipTo(current);
      if (head != null) {
        return skip(chunk, current, head);
      }
      step = current;
      next = 0;
    }
    return fill(chunk, current);
  }

  private Progress fill(Chunk chunk, TailStep current) {
    if (!writeGaps(current, chunk)) {
      return Progress.FULL;
    }
    for (; next < current.events().size(); next++) {
      TailEvent event = current.events().get(next);
      if (!write(event, chunk)) {
        return Progress.FULL;
      }
      moveTo(event.after());
    }
    moveTo(current.to());
    step = null;
    if (current.kind() == TailStep.Kind.GAP) {
      chunk.append(text.gap(shown));
    }
    return Progress.PAUSED;
  }

  /**
   * Reports each part that the store does not have once, before the events, since a client that
   * reconnects resumes at the same step. Returns false if the chunk has no room.
   */
  private boolean writeGaps(TailStep current, Chunk chunk) {
    Gaps unreported =
        new Gaps(
            current.gaps().missing().stream()
                .filter(name -> !reportedMissing.contains(name))
                .toList(),
            unreported(current.gaps().dropped().ofTypes(this::isWanted)));
    if (unreported.isEmpty()) {
      return true;
    }
    if (!writeWhole(text.gap(shown, unreported), chunk)) {
      return false;
    }
    if (reportedMissing.size() > REPORTED_MAX) {
      reportedMissing.clear();
    }
    reportedMissing.addAll(unreported.missing());
    reportedDropped = reportedDropped.and(unreported.dropped());
    return true;
  }

  private DroppedHours unreported(DroppedHours dropped) {
    return dropped.isWithin(reportedDropped) ? DroppedHours.NONE : dropped;
  }

  private void moveTo(TailPosition to) {
    position = to;
    shown = shown(to);
  }

  /**
   * Returns a position without a hidden type. A client that reconnects may therefore receive events
   * of that one name again.
   */
  private TailPosition shown(TailPosition at) {
    if (at.type().isEmpty() || types.allows(at.type())) {
      return at;
    }
    // All types after the last visible one of a name are hidden.
    return at.at(at.name(), at.name().equals(shown.name()) ? shown.type() : "");
  }

  private boolean write(TailEvent event, Chunk chunk) {
    boolean isWanted;
    try {
      isWanted = takes(event);
    } catch (BadParameterException e) {
      byte[] failed = text.failed(event, shown(event.after()), String.valueOf(e.getMessage()));
      return writeWhole(failed, chunk);
    }
    if (!isWanted) {
      return true;
    }
    return text.write(event, shown(event.after()), chunk);
  }

  private static boolean writeWhole(byte[] message, Chunk chunk) {
    if (!chunk.hasRoom(message.length)) {
      return false;
    }
    chunk.append(message);
    return true;
  }

  private boolean takes(TailEvent event) {
    String type = event.row().type();
    return isWanted(type) && (filter == null || filter.takes(type, event.column(), 0));
  }

  private boolean isWanted(String type) {
    return types.allows(type) && selection.hasType(type);
  }

  private Progress skip(Chunk chunk, TailStep current, TailPosition head) {
    TailPosition from = shown;
    moveTo(current.to().at(TimeUuid.first(head.name().ticks()), ""));
    chunk.append(text.missed(from, position, missed(from, position)));
    return Progress.PAUSED;
  }

  private String missed(TailPosition from, TailPosition to) {
    TimeRange range = new TimeRange(from.name().ticks(), to.name().ticks());
    Selection part = selection.within(range);
    StringBuilder link = new StringBuilder("/api/v1/events?limit=all");
    parameter(link, "from", Ticks.text(range.fromTicks()));
    parameter(link, "to", Ticks.text(range.toTicks()));
    part.types().forEach(type -> parameter(link, "type", type));
    parameter(link, "contains", part.contains());
    parameter(link, "icase", part.ignoreCase() ? "true" : "");
    parameter(link, "where", part.where());
    if (!from.type().isEmpty()) {
      EventCursor cursor =
          new EventCursor(
              new EventPosition(from.name(), from.type()), Order.ASCENDING, part.digest(), false);
      parameter(link, "cursor", cursor.encode());
    }
    return link.toString();
  }

  private static void parameter(StringBuilder link, String name, String value) {
    if (!value.isEmpty()) {
      link.append('&').append(name).append('=');
      link.append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }
  }

  public byte[] greeting() {
    return text.greeting(shown);
  }

  public void beat(Chunk chunk) {
    chunk.append(text.beat(shown));
  }

  /** Calls {@code wake} once, from any thread, when a call of {@link #fill} is worthwhile. */
  public void whenReady(Runnable wake) {
    steps.whenReady(wake);
  }

  /** Drops the current step; the next {@link #fill} reads it again from the position. */
  public void rest() {
    step = null;
    steps.rest();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      steps.leave();
    }
  }
}
