package hourglass.query.http;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.Counted;
import hourglass.query.Fields;
import hourglass.query.Group;
import hourglass.query.Grouped;
import hourglass.query.Grouping;
import hourglass.query.Hits;
import hourglass.query.Plan;
import hourglass.query.Stats;
import hourglass.query.Steps;
import hourglass.query.TimeRange;
import hourglass.query.TooCostlyException.Costs;
import hourglass.query.Top;
import hourglass.query.TypeCount;
import hourglass.query.advice.RowsReport;
import hourglass.query.advice.RowsReport.Growth;
import hourglass.query.advice.RowsReport.Proposal;
import hourglass.query.advice.RowsReport.RowReport;
import hourglass.query.advice.RowsReport.TypeReport;
import hourglass.query.advice.Skew;
import hourglass.query.advice.TypeRows;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.values.FieldSummary;
import hourglass.query.values.NumberSummary;
import hourglass.query.values.TopValues;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The bodies of answers that are one JSON object. */
final class JsonAnswers {
  /** A double is exact for whole numbers up to this one. */
  private static final long WHOLE_MAX = 1L << 53;

  /** The factor that rounds shares and rates to four decimal places. */
  private static final double DIGITS = 10_000;

  /** The figures of a field, by their names, in the order of the answer. */
  private static final Map<String, Function<NumberSummary, @Nullable Number>> FIGURES = figures();

  private JsonAnswers() {}

  static Iterator<Part> plan(Counted<Plan> plan) {
    JsonParts parts = new JsonParts().fields(fields(plan.value()));
    return plan.facts().gaps().isEmpty() ? parts.object() : parts.end(plan.facts());
  }

  private static JsonObject fields(Plan plan) {
    return new JsonObject()
        .put("hours", plan.hours())
        .put("rows", plan.rows())
        .put("columns", plan.columns())
        .put("bytes", plan.bytes());
  }

  /** The costs of a refused query, and the range and types that would fit. */
  static JsonObject facts(Costs costs) {
    TimeRange fits = costs.fittingRange();
    return new JsonObject()
        .put("bound", costs.bound())
        .put("allowed", costs.allowed())
        .put("plan", fields(costs.plan()))
        .put("fits", fits == null ? null : range(fits))
        .put("types_that_fit", costs.fittingTypes());
  }

  private static JsonObject range(TimeRange range) {
    return new JsonObject()
        .put("from", Ticks.text(range.fromTicks()))
        .put("to", Ticks.text(range.toTicks()));
  }

  static Iterator<Part> hits(Counted<Hits> counted) {
    Hits hits = counted.value();
    return new JsonParts()
        .fields(steps(hits.steps()))
        .objects(
            "series",
            hits.series().series(),
            one -> ofGroup(one.group()).numbers("counts", one.value()).object())
        .fields(exactness(hits.grouping(), hits.series()))
        .fields(new JsonObject().put("total", hits.total()))
        .end(counted.facts());
  }

  private static JsonObject steps(Steps steps) {
    return new JsonObject().put("step_ms", steps.millis()).mergeIn(range(steps.range()));
  }

  private static JsonParts ofGroup(Group group) {
    JsonParts parts = new JsonParts();
    if (group.isOthers()) {
      return parts.fields(new JsonObject().put("other", true));
    }
    if (group.isOfTypeAlone()) {
      return parts.fields(new JsonObject().put("type", group.parts().get(0).text()));
    }
    if (group.parts().isEmpty()) {
      return parts;
    }
    StringJoiner values = new StringJoiner(",", "{", "}");
    Map<Group.Kind, List<String>> lacking = new EnumMap<>(Group.Kind.class);
    for (Group.Part part : group.parts()) {
      String name = Json.encode(part.field()) + ":";
      switch (part.kind()) {
        case TYPE -> values.add(name + Json.encode(part.text()));
        case VALUE -> values.add(name + part.text());
        case ABSENT, NESTED, TOO_LONG ->
            lacking.computeIfAbsent(part.kind(), kind -> new ArrayList<>()).add(part.field());
      }
    }
    lacking.forEach(
        (kind, fields) ->
            values.add("\"" + kind.name().toLowerCase(Locale.ROOT) + "\":" + Json.encode(fields)));
    return parts.add(
        json -> {
          json.writeFieldName("group");
          json.writeRawValue(values.toString());
        });
  }

  /** States whether the groups are exact, if there may be others. */
  private static JsonObject exactness(Grouping grouping, Grouped<?> grouped) {
    JsonObject fields = new JsonObject();
    return grouping.isBounded() ? fields.put("groups_exact", grouped.isExact()) : fields;
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
    boolean isWhole = stats.steps().isWhole();
    return new JsonParts()
        .fields(new JsonObject().put("field", "data." + stats.path()))
        .fields(isWhole ? new JsonObject() : steps(stats.steps()))
        .objects(
            "series",
            stats.series().series(),
            one -> {
              JsonParts parts = ofGroup(one.group());
              FIGURES.forEach((name, figure) -> figure(parts, name, one.value(), isWhole, figure));
              return parts.object();
            })
        .fields(exactness(stats.grouping(), stats.series()))
        .fields(new JsonObject().put("quantile_error_max", NumberSummary.QUANTILE_ERROR_MAX))
        .end(counted.facts());
  }

  private static void figure(
      JsonParts parts,
      String name,
      List<NumberSummary> steps,
      boolean isWhole,
      Function<NumberSummary, @Nullable Number> figure) {
    if (isWhole) {
      parts.fields(new JsonObject().put(name, figure.apply(steps.get(0))));
    } else {
      parts.array(name, steps, step -> String.valueOf(figure.apply(step)));
    }
  }

  private static Map<String, Function<NumberSummary, @Nullable Number>> figures() {
    Map<String, Function<NumberSummary, @Nullable Number>> figures = new LinkedHashMap<>();
    figures.put("events", NumberSummary::events);
    figures.put("absent", NumberSummary::absent);
    figures.put("not_numeric", NumberSummary::notNumeric);
    figures.put("count", NumberSummary::count);
    figures.put("min", summary -> number(summary, NumberSummary.Distribution::min));
    figures.put("max", summary -> number(summary, NumberSummary.Distribution::max));
    figures.put("mean", summary -> number(summary, NumberSummary.Distribution::mean));
    figures.put("p50", summary -> number(summary, NumberSummary.Distribution::p50));
    figures.put("p90", summary -> number(summary, NumberSummary.Distribution::p90));
    figures.put("p99", summary -> number(summary, NumberSummary.Distribution::p99));
    figures.put("p99.9", summary -> number(summary, NumberSummary.Distribution::p999));
    return figures;
  }

  /** Returns one figure of the numbers; null if there are no numbers. */
  private static @Nullable Number number(
      NumberSummary summary, ToDoubleFunction<NumberSummary.Distribution> of) {
    if (summary.numbers() == null) {
      return null;
    }
    return plain(of.applyAsDouble(summary.numbers()));
  }

  /** Returns a number without a decimal point if it is whole. */
  private static Number plain(double number) {
    long whole = (long) number;
    if (whole == number && Math.abs(whole) <= WHOLE_MAX) {
      return whole;
    }
    return number;
  }

  static Iterator<Part> top(Counted<Top> counted) {
    Top top = counted.value();
    JsonParts parts = new JsonParts().fields(new JsonObject().put("field", "data." + top.path()));
    List<Grouped.Series<TopValues>> series = top.series().series();
    return (top.grouping().by().isEmpty()
            ? values(parts, series.get(0).value())
            : parts
                .objects(
                    "series", series, one -> values(ofGroup(one.group()), one.value()).object())
                .fields(exactness(top.grouping(), top.series())))
        .end(counted.facts());
  }

  private static JsonParts values(JsonParts parts, TopValues top) {
    return parts
        .array("values", top.values(), JsonAnswers::value)
        .fields(
            new JsonObject()
                .put("events", top.events())
                .put("absent", top.absent())
                .put("nested", top.nested())
                .put("too_long", top.tooLong())
                .put("exact", top.isExact())
                .put("distinct", top.isExact() ? top.distinct() : null)
                .put("others_max", top.othersMax()));
  }

  static Iterator<Part> fields(Counted<Fields> counted) {
    Fields fields = counted.value();
    double share = fields.share();
    boolean isWhole = share == 1 && counted.facts().isComplete();
    JsonParts parts =
        new JsonParts()
            .array("fields", fields.fields(), field -> field(field, share, isWhole))
            .fields(new JsonObject().put("events", scaled(fields.events(), share)));
    parts.fields(new JsonObject().put("more", fields.hasMore()));
    return (share < 1 ? parts.fields(new JsonObject().put("sampled", share)) : parts)
        .end(counted.facts());
  }

  private static long scaled(long count, double share) {
    return Math.round(count / share);
  }

  private static String field(Fields.Field field, double share, boolean isWhole) {
    FieldSummary summary = field.summary();
    JsonObject kinds = new JsonObject();
    for (FieldSummary.Kind kind : FieldSummary.Kind.values()) {
      kinds.put(kind.name().toLowerCase(Locale.ROOT), scaled(summary.events(kind), share));
    }
    JsonObject json =
        new JsonObject()
            .put("field", "data." + field.path())
            .put("events", scaled(summary.events(), share))
            .put("kinds", kinds)
            .put("distinct", summary.distinct())
            .put("distinct_exact", isWhole && summary.isDistinctExact());
    if (summary.hasNumbers()) {
      json.put("min", plain(summary.min())).put("max", plain(summary.max()));
    }
    FieldSummary.Frequent frequent = summary.frequent(Fields.VALUES);
    boolean isExact = isWhole && frequent.isExact();
    StringJoiner values =
        new StringJoiner(",", ",\"values\":[", "],\"values_exact\":" + isExact + "}");
    for (TopValues.Value value : frequent.values()) {
      values.add(
          "{\"value\":%s,\"count\":%d}".formatted(value.json(), scaled(value.count(), share)));
    }
    String start = json.encode();
    return start.substring(0, start.length() - 1) + values;
  }

  private static String value(TopValues.Value value) {
    JsonObject counts =
        new JsonObject().put("count", value.count()).put("error_max", value.errorMax());
    return "{\"value\":" + value.json() + "," + counts.encode().substring(1);
  }

  /** Returns a report on rows. Their fills refer to the row sizes of {@code target}. */
  static Iterator<Part> rows(Counted<RowsReport> counted, PlannerOptions target) {
    RowsReport report = counted.value();
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
        .end(counted.facts());
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
