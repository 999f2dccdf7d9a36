package hourglass.query.http;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.AnswerFacts;
import hourglass.query.Counted;
import hourglass.query.Hits;
import hourglass.query.Plan;
import hourglass.query.Stats;
import hourglass.query.TimeRange;
import hourglass.query.TooCostlyException.Costs;
import hourglass.query.TypeCount;
import hourglass.query.advice.RowsReport;
import hourglass.query.advice.RowsReport.Growth;
import hourglass.query.advice.RowsReport.Proposal;
import hourglass.query.advice.RowsReport.RowReport;
import hourglass.query.advice.RowsReport.TypeReport;
import hourglass.query.advice.Skew;
import hourglass.query.advice.TypeRows;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.values.NumberSummary;
import hourglass.query.values.TopValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.Iterator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The bodies of answers that are one JSON object. */
final class JsonAnswers {
  /** A double is exact for whole numbers up to this one. */
  private static final long WHOLE_MAX = 1L << 53;

  /** Shares and rates have four decimal places. */
  private static final double DIGITS = 10_000;

  private JsonAnswers() {}

  static Iterator<Part> plan(Plan plan, List<String> missing) {
    JsonParts parts = new JsonParts().fields(fields(plan));
    return missing.isEmpty() ? parts.object() : parts.end(AnswerFacts.lacking(missing));
  }

  private static JsonObject fields(Plan plan) {
    return new JsonObject()
        .put("hours", plan.hours())
        .put("rows", plan.rows())
        .put("columns", plan.columns())
        .put("bytes", plan.bytes());
  }

  /** A refusal (RFC 9457) with the costs, and the range and types that would fit. */
  static Buffer problem(int status, String detail, Costs costs) {
    TimeRange fits = costs.fittingRange();
    return new JsonObject()
        .put("type", "about:blank")
        .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
        .put("status", status)
        .put("detail", detail)
        .put("bound", costs.bound())
        .put("allowed", costs.allowed())
        .put("plan", fields(costs.plan()))
        .put("fits", fits == null ? null : range(fits))
        .put("types_that_fit", costs.fittingTypes())
        .toBuffer();
  }

  private static JsonObject range(TimeRange range) {
    return new JsonObject()
        .put("from", Ticks.text(range.fromTicks()))
        .put("to", Ticks.text(range.toTicks()));
  }

  static Iterator<Part> hits(Counted<Hits> counted) {
    Hits hits = counted.value();
    return new JsonParts()
        .fields(new JsonObject().put("step_ms", hits.stepMillis()).mergeIn(range(hits.range())))
        .objects(
            "series",
            hits.series(),
            one ->
                new JsonParts().fields(ofType(one.type())).numbers("counts", one.counts()).object())
        .fields(new JsonObject().put("total", hits.total()))
        .end(counted.facts());
  }

  private static JsonObject ofType(String type) {
    return type.isEmpty() ? new JsonObject() : new JsonObject().put("type", type);
  }

  static Iterator<Part> types(Counted<List<TypeCount>> types) {
    return new JsonParts().array("types", types.value(), JsonAnswers::type).end(types.facts());
  }

  private static String type(TypeCount type) {
    return new JsonObject()
        .put("type", type.type())
        .put("count", type.count())
        .put("bytes", type.bytes())
        .encode();
  }

  static Iterator<Part> stats(Counted<Stats> counted) {
    Stats stats = counted.value();
    return new JsonParts()
        .fields(new JsonObject().put("field", "data." + stats.path()))
        .array("series", stats.series(), JsonAnswers::series)
        .fields(new JsonObject().put("quantile_error_max", NumberSummary.QUANTILE_ERROR_MAX))
        .end(counted.facts());
  }

  private static String series(Stats.Series series) {
    NumberSummary summary = series.summary();
    return ofType(series.type())
        .put("events", summary.events())
        .put("absent", summary.absent())
        .put("not_numeric", summary.notNumeric())
        .put("count", summary.count())
        .put("min", number(summary, NumberSummary.Distribution::min))
        .put("max", number(summary, NumberSummary.Distribution::max))
        .put("mean", number(summary, NumberSummary.Distribution::mean))
        .put("p50", number(summary, NumberSummary.Distribution::p50))
        .put("p90", number(summary, NumberSummary.Distribution::p90))
        .put("p99", number(summary, NumberSummary.Distribution::p99))
        .put("p99.9", number(summary, NumberSummary.Distribution::p999))
        .encode();
  }

  /** A whole number has no decimal point; null if there are no numbers. */
  private static @Nullable Number number(
      NumberSummary summary, ToDoubleFunction<NumberSummary.Distribution> of) {
    if (summary.numbers() == null) {
      return null;
    }
    double number = of.applyAsDouble(summary.numbers());
    long whole = (long) number;
    if (whole == number && Math.abs(whole) <= WHOLE_MAX) {
      return whole;
    }
    return number;
  }

  static Iterator<Part> top(String path, Counted<TopValues> counted) {
    TopValues top = counted.value();
    return new JsonParts()
        .fields(new JsonObject().put("field", "data." + path))
        .array("values", top.values(), JsonAnswers::value)
        .fields(
            new JsonObject()
                .put("events", top.events())
                .put("absent", top.absent())
                .put("nested", top.nested())
                .put("too_long", top.tooLong())
                .put("exact", top.isExact())
                .put("distinct", top.isExact() ? top.distinct() : null)
                .put("others_max", top.othersMax()))
        .end(counted.facts());
  }

  private static String value(TopValues.Value value) {
    JsonObject counts =
        new JsonObject().put("count", value.count()).put("error_max", value.errorMax());
    return "{\"value\":" + value.json() + "," + counts.encode().substring(1);
  }

  /** Fills refer to the row sizes of {@code target}. */
  static Iterator<Part> rows(RowsReport report, PlannerOptions target, List<String> missing) {
    JsonObject targets =
        new JsonObject().put("columns", target.targetColumns()).put("bytes", target.targetBytes());
    JsonObject claims =
        new JsonObject()
            .put("asked", report.claimsAsked())
            .put("answered", report.claimsAnswered());
    return new JsonParts()
        .array("rows", report.rows(), row -> row(row, targets))
        .array("types", report.types(), JsonAnswers::typeHour)
        .fields(new JsonObject().put("claims", claims))
        .end(AnswerFacts.lacking(missing));
  }

  private static String row(RowReport row, JsonObject target) {
    RowKey key = row.fill().entry().row();
    Growth growth = row.growth();
    List<ShardClaim> writers = row.writers();
    return new JsonObject()
        .put("row", key.toString())
        .put("type", key.type())
        .put("shard", key.shard())
        .put("columns", row.fill().columns())
        .put("bytes", row.fill().bytes())
        .put("first", Ticks.text(row.fill().entry().first().ticks()))
        .put("last", Ticks.text(row.fill().entry().last().ticks()))
        .put("target", target)
        .put("fill", rounded(row.fill().fill()))
        .put("sealed", row.fill().entry().sealed())
        .put("state", row.state().text())
        .put(
            "growth",
            growth == null
                ? null
                : new JsonObject()
                    .put("columns_per_s", rounded(growth.columnsPerSecond()))
                    .put("over_s", rounded(growth.overSeconds())))
        .put("writers", writers == null ? null : writers.stream().map(JsonAnswers::writer).toList())
        .encode();
  }

  private static JsonObject writer(ShardClaim claim) {
    return new JsonObject()
        .put("writer", claim.writer())
        .put("sole", claim.sole())
        .put("columns", claim.columns())
        .put("bytes", claim.bytes());
  }

  private static String typeHour(TypeReport type) {
    TypeRows rows = type.rows();
    Proposal proposal = type.proposal();
    return new JsonObject()
        .put("hour", rows.hour().toString())
        .put("type", rows.type())
        .put("rows", rows.size())
        .put("columns", rows.columns())
        .put("bytes", rows.bytes())
        .put("row_skew", skew("rows", rows.skew()))
        .put("node_skew", skew("nodes", type.nodeSkew()))
        .put("writers", type.claims().writers())
        .put("writers_unknown", type.claims().whyUnknown())
        .put(
            "proposal",
            proposal == null
                ? null
                : new JsonObject()
                    .put("setting", proposal.setting())
                    .put("value", proposal.value())
                    .put("reason", proposal.reason()))
        .encode();
  }

  private static @Nullable JsonObject skew(String places, @Nullable Skew skew) {
    return skew == null
        ? null
        : new JsonObject()
            .put(places, skew.places())
            .put("max_over_mean", rounded(skew.maxOverMean()))
            .put("gini", rounded(skew.gini()));
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
