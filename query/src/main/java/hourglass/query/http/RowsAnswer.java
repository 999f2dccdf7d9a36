package hourglass.query.http;

import com.fasterxml.jackson.core.JsonGenerator;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.query.advice.Growth;
import hourglass.query.advice.Proposal;
import hourglass.query.advice.RowReport;
import hourglass.query.advice.RowsReport;
import hourglass.query.advice.Skew;
import hourglass.query.advice.TypeReport;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code /rows}. */
final class RowsAnswer {
  /** Shares and rates have four decimal places. */
  private static final double DIGITS = 10_000;

  private RowsAnswer() {}

  /**
   * The report as a JSON object.
   *
   * @param target the row size that fills refer to
   * @param missing the parts of its hours that the store lacks
   */
  static AnswerParts parts(RowsReport report, PlannerOptions target, List<String> missing) {
    return new JsonParts()
        .array("rows", report.rows(), (json, row) -> writeRow(json, row, target))
        .array("types", report.types(), RowsAnswer::writeType)
        .add(
            json -> {
              json.writeObjectFieldStart("claims");
              json.writeNumberField("asked", report.claimsAsked());
              json.writeNumberField("answered", report.claimsAnswered());
              json.writeEndObject();
              JsonAnswers.writeComplete(json, missing);
            });
  }

  private static void writeRow(JsonGenerator json, RowReport row, PlannerOptions target)
      throws IOException {
    RowKey key = row.fill().entry().row();
    json.writeStartObject();
    json.writeStringField("row", key.toString());
    json.writeStringField("type", key.type());
    json.writeNumberField("shard", key.shard());
    json.writeNumberField("columns", row.fill().columns());
    json.writeNumberField("bytes", row.fill().bytes());
    json.writeStringField("first", Ticks.text(row.fill().entry().first().ticks()));
    json.writeStringField("last", Ticks.text(row.fill().entry().last().ticks()));
    json.writeObjectFieldStart("target");
    json.writeNumberField("columns", target.targetColumns());
    json.writeNumberField("bytes", target.targetBytes());
    json.writeEndObject();
    json.writeNumberField("fill", rounded(row.fill().fill()));
    json.writeBooleanField("sealed", row.fill().entry().sealed());
    json.writeStringField("state", row.state().text());
    writeGrowth(json, row.growth());
    writeWriters(json, row.writers());
    json.writeEndObject();
  }

  private static void writeGrowth(JsonGenerator json, @Nullable Growth growth) throws IOException {
    if (growth == null) {
      json.writeNullField("growth");
      return;
    }
    json.writeObjectFieldStart("growth");
    json.writeNumberField("columns_per_s", rounded(growth.columnsPerSecond()));
    json.writeNumberField("over_s", rounded(growth.overSeconds()));
    json.writeEndObject();
  }

  private static void writeWriters(JsonGenerator json, @Nullable List<ShardClaim> writers)
      throws IOException {
    if (writers == null) {
      json.writeNullField("writers");
      return;
    }
    json.writeArrayFieldStart("writers");
    for (ShardClaim claim : writers) {
      json.writeStartObject();
      json.writeStringField("writer", claim.writer());
      json.writeBooleanField("sole", claim.sole());
      json.writeNumberField("columns", claim.columns());
      json.writeNumberField("bytes", claim.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeType(JsonGenerator json, TypeReport type) throws IOException {
    json.writeStartObject();
    json.writeStringField("hour", type.hour().toString());
    json.writeStringField("type", type.type());
    json.writeNumberField("rows", type.rows());
    json.writeNumberField("columns", type.columns());
    json.writeNumberField("bytes", type.bytes());
    writeSkew(json, "row_skew", "rows", type.rowSkew());
    writeSkew(json, "node_skew", "nodes", type.nodeSkew());
    if (type.writers() == null) {
      json.writeNullField("writers");
    } else {
      json.writeNumberField("writers", type.writers());
    }
    json.writeStringField("writers_unknown", type.writersUnknown());
    writeProposal(json, type.proposal());
    json.writeEndObject();
  }

  private static void writeSkew(
      JsonGenerator json, String field, String places, @Nullable Skew skew) throws IOException {
    if (skew == null) {
      json.writeNullField(field);
      return;
    }
    json.writeObjectFieldStart(field);
    json.writeNumberField(places, skew.places());
    json.writeNumberField("max_over_mean", rounded(skew.maxOverMean()));
    json.writeNumberField("gini", rounded(skew.gini()));
    json.writeEndObject();
  }

  private static void writeProposal(JsonGenerator json, @Nullable Proposal proposal)
      throws IOException {
    if (proposal == null) {
      json.writeNullField("proposal");
      return;
    }
    json.writeObjectFieldStart("proposal");
    json.writeStringField("setting", proposal.setting());
    json.writeStringField("value", proposal.value());
    json.writeStringField("reason", proposal.reason());
    json.writeEndObject();
  }

  private static double rounded(double value) {
    return Math.round(value * DIGITS) / DIGITS;
  }
}
