package hourglass.ingest.http;

import hourglass.bucketing.Ticks;
import hourglass.ingest.service.FoldedErrors;
import hourglass.ingest.service.PushReport;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;

/**
 * The answer to a push of {@code /api/v1/events}:
 *
 * <pre>
 * {"accepted":7,"rejected":3,"untimed":2,"time_fields":{"timestamp":4},
 *  "times":{"first":"2026-11-20T08:00:00.0000000Z","last":"2026-11-20T08:30:00.0000000Z"},
 *  "hint":"2 events got the time of receipt, but \"date\" has a time; add time_field=date",
 *  "suggested":{"time_field":"date"},
 *  "errors":[{"index":2,"reason":"type: not a string: 5 (field \"type\")","count":3,
 *            "indexes":[2,5,9]}]}
 * </pre>
 */
final class ReportJson {
  private ReportJson() {}

  static JsonObject of(Verdicts verdicts, PushReport report) {
    JsonObject json = new JsonObject();
    json.put("accepted", verdicts.accepted()).put("rejected", verdicts.rejected());
    if (report.isTrial()) {
      json.put("dry_run", true);
    }
    if (verdicts.untimed() > 0) {
      json.put("untimed", verdicts.untimed());
    }
    if (report.followed() > 0) {
      json.put("followed", report.followed());
    }
    Map<String, Integer> timeFields = report.timeFields();
    if (!timeFields.isEmpty()) {
      json.put("time_fields", object(timeFields));
    }
    if (verdicts.accepted() > 0) {
      json.put(
          "times",
          new JsonObject()
              .put("first", Ticks.text(report.firstTicks()))
              .put("last", Ticks.text(report.lastTicks())));
    }
    PushReport.Advice advice = report.advice();
    if (advice != null) {
      json.put("hint", advice.hint());
      json.put("suggested", object(advice.parameters()));
    }
    JsonArray errors = new JsonArray();
    report.errors().entries().forEach(entry -> errors.add(json(entry)));
    return json.put("errors", errors);
  }

  private static JsonObject object(Map<String, ?> members) {
    JsonObject object = new JsonObject();
    members.forEach(object::put);
    return object;
  }

  private static JsonObject json(FoldedErrors.Entry entry) {
    JsonArray indexes = new JsonArray();
    for (int index : entry.indexes()) {
      indexes.add(index);
    }
    return new JsonObject()
        .put("index", indexes.getInteger(0))
        .put("reason", entry.reason())
        .put("count", entry.count())
        .put("indexes", indexes);
  }
}
