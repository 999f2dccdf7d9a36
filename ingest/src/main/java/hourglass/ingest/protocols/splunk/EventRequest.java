package hourglass.ingest.protocols.splunk;

import hourglass.ingest.Verdicts;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.JsonObjects;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.http.PushProtocol;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * JSON objects one after the other, each stored as it came.
 *
 * <p>A broken object is the only one that is not stored. The answer names it with 400: some clients
 * drop a batch upon that, and lose nothing more; Docker repeats it, and finds its events again by
 * their content. Behind {@value #BROKEN_MAX} broken objects nothing is stored, and the answer says
 * where that begins.
 */
final class EventRequest implements PushProtocol.Request {
  private static final List<String> FIELDS = List.of("sourcetype", "source", "time");
  private static final int SOURCETYPE = 0;
  private static final int SOURCE = 1;
  private static final int TIME = 2;

  /** A body with more of them is no sequence of objects: its rest is refused as one. */
  static final int BROKEN_MAX = 1_000;

  private static final int SAMPLE_BYTES_MAX = 512;

  private int broken;

  /** Of the first broken object. */
  private int brokenIndex;

  private String brokenProblem = "";

  @Override
  public void convert(Body body, MultiMap headers, ConvertedEvents events) {
    byte[] b = body.bytes();
    JsonObjects objects = new JsonObjects(body, FIELDS);
    while (broken < BROKEN_MAX && objects.next()) {
      int from = objects.from();
      String problem = objects.problem();
      if (problem == null) {
        events.addDocument(b, from, objects.to(), type(objects), objects.ticks(TIME), null);
      } else {
        refuse(b, from, objects.to(), problem, events);
      }
    }
    if (broken == BROKEN_MAX && objects.next()) {
      int rest = events.size();
      refuse(b, objects.from(), body.length(), "behind " + BROKEN_MAX + " broken ones", events);
      brokenProblem +=
          "; behind %d broken ones, nothing from number %d on is stored"
              .formatted(BROKEN_MAX, rest);
    }
  }

  private void refuse(byte[] b, int from, int to, String problem, ConvertedEvents events) {
    if (broken++ == 0) {
      brokenIndex = events.size();
      brokenProblem = problem;
    }
    events.payload().raw(b, from, Math.min(to, from + SAMPLE_BYTES_MAX));
    events.refuse(Reason.NOT_JSON, "event: " + problem);
  }

  private static @Nullable String type(JsonObjects objects) {
    return SplunkCollector.type(objects.text(SOURCETYPE), objects.text(SOURCE));
  }

  @Override
  public void answer(RoutingContext ctx, Verdicts verdicts) {
    if (broken > 0) {
      SplunkCollector.invalid(ctx, brokenIndex, brokenProblem);
    } else {
      SplunkCollector.answer(ctx, verdicts);
    }
  }
}
