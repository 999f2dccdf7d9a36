package hourglass.ingest.protocols.splunk;

import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.JsonObjects;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.http.ProtocolDecoder;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request of JSON objects one after the other, each stored as it was sent.
 *
 * <p>A broken object, or one without an event, is the only one that is not stored. The answer names
 * it with 400: some clients drop a batch after that, and lose no other events; Docker repeats it,
 * and its events are recognized by their content. After {@value #BROKEN_MAX} such objects no more
 * are stored, and the answer names the first of the rest.
 */
final class EventRequest extends ProtocolDecoder {
  private static final List<String> FIELDS =
      List.of("sourcetype", "source", "time", "event", "fields");
  private static final int SOURCETYPE = 0;
  private static final int SOURCE = 1;
  private static final int TIME = 2;
  private static final int EVENT = 3;
  private static final int METRICS = 4;

  /**
   * The most broken objects. A body with more is no sequence of objects: its rest is refused as
   * one.
   */
  static final int BROKEN_MAX = 1_000;

  private static final int SAMPLE_BYTES_MAX = 512;

  private int broken;

  // These describe the first broken object.
  private int brokenIndex;
  private HecStatus brokenStatus = HecStatus.INVALID_DATA;
  private String brokenProblem = "";

  @Override
  public void convert(Body body, MultiMap headers, ConvertedEvents events) {
    byte[] b = body.bytes();
    JsonObjects objects = new JsonObjects(body, FIELDS);
    while (broken < BROKEN_MAX && objects.next()) {
      int from = objects.from();
      String problem = objects.problem();
      HecStatus status = problem == null ? judge(objects) : HecStatus.INVALID_DATA;
      if (status == HecStatus.SUCCESS) {
        events.addDocument(b, from, objects.to(), type(objects), objects.ticks(TIME), null);
      } else {
        refuse(b, from, objects.to(), status, problem, events);
      }
    }
    if (broken == BROKEN_MAX && objects.next()) {
      int rest = events.size();
      String problem = "behind " + BROKEN_MAX + " broken ones";
      refuse(b, objects.from(), body.length(), HecStatus.INVALID_DATA, problem, events);
      brokenProblem +=
          "; behind %d broken ones, nothing from number %d on is stored"
              .formatted(BROKEN_MAX, rest);
    }
  }

  /** Judges an object as Splunk does: metrics need no event, and a null is not a blank event. */
  private static HecStatus judge(JsonObjects objects) {
    if (objects.isObject(METRICS)) {
      return HecStatus.SUCCESS;
    }
    if (objects.isAbsent(EVENT)) {
      return HecStatus.NO_EVENT;
    }
    if (objects.isNull(EVENT)) {
      return HecStatus.INVALID_DATA;
    }
    return objects.isBlank(EVENT) ? HecStatus.BLANK_EVENT : HecStatus.SUCCESS;
  }

  /**
   * Refuses an object.
   *
   * @param problem null if the text of the status describes it
   */
  private void refuse(
      byte[] b,
      int from,
      int to,
      HecStatus status,
      @Nullable String problem,
      ConvertedEvents events) {
    String detail = problem == null ? status.text() : problem;
    if (broken++ == 0) {
      brokenIndex = events.size();
      brokenStatus = status;
      brokenProblem = detail;
    }
    events.payload().raw(b, from, Math.min(to, from + SAMPLE_BYTES_MAX));
    events.refuse(problem == null ? Reason.RECORD_FORM : Reason.NOT_JSON, "event: " + detail);
  }

  private static @Nullable String type(JsonObjects objects) {
    return SplunkCollector.type(objects.text(SOURCETYPE), objects.text(SOURCE));
  }

  @Override
  public boolean mustHaveEvents() {
    return true;
  }

  @Override
  public void answer(RoutingContext ctx, Verdicts verdicts) {
    if (broken > 0) {
      SplunkCollector.invalid(ctx, brokenStatus, brokenIndex, brokenProblem);
    } else {
      SplunkCollector.answer(ctx, verdicts);
    }
  }
}
