package hourglass.query.tail;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import hourglass.bucketing.Ticks;
import hourglass.bytes.Json;
import hourglass.bytes.LineBreaks;
import hourglass.query.Chunk;
import hourglass.query.Gaps;
import hourglass.query.encode.EventText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Formats the events of a tail as server-sent events. Not thread-safe. */
final class TailText implements TailForm {
  private static final byte[] ID = EventText.ascii("id: ");
  private static final byte[] DATA = EventText.ascii("\ndata: ");
  private static final byte[] LATE_DATA = EventText.ascii("\nevent: late\ndata: ");
  private static final byte[] END = EventText.ascii("\n\n");

  /** The most bytes of a position, with a type of 256 bytes. */
  private static final int POSITION_BYTES_MAX = 420;

  private final EventText events = new EventText();

  private static int bytesMax(TailEvent event) {
    int data = EventText.bytes(event.row(), event.column(), 0);
    return ID.length + POSITION_BYTES_MAX + LATE_DATA.length + data + END.length;
  }

  @Override
  public boolean write(TailEvent event, TailPosition after, Chunk out) {
    if (!out.hasRoom(bytesMax(event))) {
      return false;
    }
    byte[] position = after.encode().getBytes(StandardCharsets.US_ASCII);
    byte[] bytes = out.bytes();
    int at = EventText.put(ID, bytes, out.length());
    at = EventText.put(position, bytes, at);
    at = EventText.put(event.isLate() ? LATE_DATA : DATA, bytes, at);
    at = events.write(event.row(), event.column(), 0, bytes, at);
    LineBreaks.toSpaces(bytes, at - 1 - event.column().length(0), at - 1);
    out.writtenTo(EventText.put(END, bytes, at));
    return true;
  }

  /** Returns the first message. Its position is for a stream that ends before the first event. */
  @Override
  public byte[] greeting(TailPosition position) {
    return utf8("retry: 1000\nid: " + position.encode() + "\n\n");
  }

  /** Returns a heartbeat. From its position, a client resumes after a long time without events. */
  @Override
  public byte[] beat(TailPosition position) {
    return utf8(": nothing new\nid: " + position.encode() + "\n\n");
  }

  @Override
  public byte[] missed(TailPosition from, TailPosition to, String link) {
    return utf8(
        "id: %s\nevent: missed\ndata: {\"from\":\"%s\",\"to\":\"%s\",\"events\":\"%s\"}\n\n"
            .formatted(
                to.encode(), Ticks.text(from.name().ticks()), Ticks.text(to.name().ticks()), link));
  }

  @Override
  public byte[] gap(TailPosition position) {
    String to = Ticks.text(position.name().ticks());
    return utf8(
        ("id: %s\n"
                + "event: gap\n"
                + "data: {\"to\":\"%s\",\"detail\":\"the position is older than the notes of late"
                + " events that are kept, or of another store: what came late since, with a time"
                + " before this, is not in this tail; /api/v1/events has it\"}\n\n")
            .formatted(position.encode(), to));
  }

  /** Returns a notice of missing parts and dropped hours, named as in a query's answer. */
  @Override
  public byte[] gap(TailPosition position, Gaps gaps) {
    return utf8(
        ("id: %s\nevent: gap\ndata: {%s%s\"detail\":\"the store does not have these parts of hours"
                + " that this tail goes through: events of them may not be in it\"}\n\n")
            .formatted(
                position.encode(),
                list("missing", gaps.missing()),
                list("dropped", gaps.dropped().names())));
  }

  private static String list(String member, List<String> names) {
    return names.isEmpty()
        ? ""
        : names.stream()
            .map(name -> '"' + quoted(name) + '"')
            .collect(joining(",", '"' + member + "\":[", "],"));
  }

  /** Returns a problem (RFC 9457) for an event that the filter could not evaluate. */
  @Override
  public byte[] failed(TailEvent event, TailPosition after, String detail) {
    String type = event.row().type();
    String address = "/api/v1/events/" + event.name() + "?type=" + URLEncoder.encode(type, UTF_8);
    return utf8(
        ("id: %s\nevent: failed\ndata: {\"type\":\"about:blank\",\"title\":\"Bad Request\","
                + "\"status\":400,\"detail\":\"%s\",\"event\":\"%s\"}\n\n")
            .formatted(after.encode(), quoted(detail), address));
  }

  private static String quoted(String text) {
    return Json.escaped(text);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
  }
}
