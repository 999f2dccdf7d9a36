package hourglass.ingest.protocols.elastic;

import hourglass.bytes.Rfc3339;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.http.ProtocolDecoder;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A request of lines with actions, each before the line of its document. A line that is no action
 * becomes an item that fails, and the next line may be an action again: a broken line is the trace
 * of a document that contains a line break, and must not stop the documents around it. A body
 * without any action is no bulk, and is refused as a whole.
 */
final class BulkRequest extends ProtocolDecoder {
  private static final String NO_ACTION =
      "not an action, want {\"create\":{...}} or {\"index\":{...}} before each document";

  private final long beganNanos = System.nanoTime();
  private final @Nullable String indexOfPath;
  private String idPrefix = "";

  /** The items; null before the body is converted. */
  private @Nullable BulkItems items;

  BulkRequest(@Nullable String indexOfPath) {
    this.indexOfPath = indexOfPath;
  }

  @Nullable BulkItems items() {
    return items;
  }

  @Override
  public void convert(Body body, MultiMap headers, ConvertedEvents events) {
    BulkItems converted = new BulkItems(events.memory());
    BodyLines lines = new BodyLines(body);
    ActionLine actions = new ActionLine(indexOfPath);
    Target unknown = Target.of("index", indexOfPath);
    boolean isBulk = false;
    while (lines.next()) {
      Target target = actions.read(body.bytes(), lines.from(), lines.to());
      if (target == null) {
        converted.add(unknown, null);
        refuse(lines, body, Reason.RECORD_FORM, NO_ACTION, events);
      } else {
        isBulk = true;
        converted.add(target, actions.id());
        document(target, actions.id(), lines, body, events);
      }
    }
    if (!isBulk) {
      throw new PushRefused(
          400, events.size() == 0 ? "request body is required" : "line 1: " + NO_ACTION);
    }
    CRC32C digest = new CRC32C();
    digest.update(body.bytes(), 0, body.length());
    idPrefix = Long.toHexString(digest.getValue()) + "-";
    items = converted;
  }

  private static void document(
      Target target, @Nullable String id, BodyLines lines, Body body, ConvertedEvents events) {
    if (target.hasDocument() && !lines.next()) {
      refuse(lines, body, Reason.RECORD_FORM, "no document follows", events);
    } else if (!target.stores()) {
      String problem = target.action() + ": not served, events never change";
      refuse(lines, body, Reason.RECORD_FORM, problem, events);
    } else {
      // No name of an index contains a slash.
      String identity = id == null || id.isEmpty() ? null : target.index() + "/" + id;
      events.addDocument(
          body.bytes(), lines.from(), lines.to(), target.type(), Rfc3339.NOT_A_TIME, identity);
    }
  }

  private static void refuse(
      BodyLines lines, Body body, Reason reason, String problem, ConvertedEvents events) {
    events.payload().raw(body.bytes(), lines.from(), lines.to());
    events.refuse(reason, "line " + lines.number() + ": " + problem);
  }

  /** Returns true, since rsyslog would repeat the documents of a refused request for ever. */
  @Override
  public boolean answersEach() {
    return true;
  }

  @Override
  public void answer(RoutingContext ctx, Verdicts verdicts) {
    long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
    BulkAnswer.send(
        ElasticBulk.begin(ctx, 200),
        tookMillis,
        Objects.requireNonNull(items),
        idPrefix,
        verdicts.errors());
  }
}
