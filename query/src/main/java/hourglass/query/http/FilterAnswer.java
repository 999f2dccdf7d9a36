package hourglass.query.http;

import hourglass.http.ProblemJson;
import hourglass.query.typed.FilterException;
import hourglass.query.typed.Span;
import hourglass.query.typed.TypedFilter;
import hourglass.query.where.Outline;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;

/**
 * The answer that states the meaning of a typed filter, and the facts of a filter that has none.
 */
final class FilterAnswer {
  private FilterAnswer() {}

  /** Returns the answer for the first of two filters, joined with the other one. */
  static Buffer of(TypedFilter one, TypedFilter other) {
    return json(TypedFilter.of(one.and(other))).toBuffer();
  }

  private static JsonObject json(TypedFilter filter) {
    return new JsonObject()
        .put("q", filter.text())
        .put("language", filter.language().name().toLowerCase(Locale.ROOT))
        .put("where", filter.where())
        .put("word", new JsonArray(filter.words()))
        .put("contains", "")
        .put("type", new JsonArray(List.copyOf(filter.types())))
        .put("id", filter.id() == null ? null : filter.id().toString())
        .put("parts", array(filter.parts().stream().map(FilterAnswer::place).toList()))
        .put(
            "fields",
            array(
                filter.fields().stream()
                    .map(field -> place(field.at()).put("field", field.name()))
                    .toList()))
        .put("marks", array(filter.compared().stream().map(FilterAnswer::mark).toList()));
  }

  private static JsonArray array(List<JsonObject> objects) {
    return new JsonArray(objects);
  }

  private static JsonObject place(Span at) {
    return new JsonObject().put("from", at.from()).put("to", at.to());
  }

  private static JsonObject mark(Outline.Value value) {
    return new JsonObject()
        .put("field", value.path())
        .put("text", value.text())
        .put("whole", value.extent() == Outline.Extent.WHOLE)
        .put("words", value.extent() == Outline.Extent.WORDS);
  }

  static void send(RoutingContext ctx, Buffer answer) {
    HttpServerResponse response = ctx.response().putHeader("Content-Type", "application/json");
    if (ctx.request().method().equals(HttpMethod.HEAD)) {
      response.putHeader("Content-Length", Integer.toString(answer.length())).end();
    } else {
      response.end(answer);
    }
  }

  /** Returns a refusal of a filter as the body of an answer. */
  static Buffer refusal(FilterException refused) {
    return ProblemJson.of(400, refused.getMessage()).mergeIn(facts(refused)).toBuffer();
  }

  /** Returns the place of a mistake, and a corrected filter, which is null if it is unknown. */
  static JsonObject facts(FilterException refused) {
    return new JsonObject()
        .put("parameter", "q")
        .put("reason", refused.reason())
        .put("from", refused.at().from())
        .put("to", refused.at().to())
        .put("fix", refused.fix());
  }
}
