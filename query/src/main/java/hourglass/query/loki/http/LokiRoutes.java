package hourglass.query.loki.http;

import com.google.common.base.Suppliers;
import hourglass.bytes.JsonText;
import hourglass.http.SmallBodies;
import hourglass.query.fair.Places.Size;
import hourglass.query.http.AnswerHead;
import hourglass.query.http.BodyCoding;
import hourglass.query.http.Endpoint;
import hourglass.query.http.Failure;
import hourglass.query.http.PreparedQuery;
import hourglass.query.http.PreparedQuery.Work;
import hourglass.query.http.QueryRunner;
import hourglass.query.http.TailRoutes;
import hourglass.query.line.StreamLabels;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The read side of Loki's HTTP API, for Grafana and logcli. A refusal is a line of text.
 * Thread-safe.
 *
 * <p>Source: "Query endpoints" of Loki's HTTP API, and the requests of its clients.
 */
public final class LokiRoutes {
  /** The start of all paths. */
  private static final String PREFIX = "/loki/api/v1/";

  /** The build information, from which clients derive the available requests. */
  private static final String BUILD =
      "{\"version\":\"3.0.0\",\"revision\":\"\",\"branch\":\"\",\"buildUser\":\"\","
          + "\"buildDate\":\"\",\"goVersion\":\"\"}";

  private final QueryRunner runner;
  private final LokiForms forms;
  private final LokiQueries queries;
  private final LokiLabels labels;
  private final LokiVolumes volumes;
  private final Clock clock;
  private final LokiTail tail;

  /**
   * Creates the routes.
   *
   * @param runner runs queries, in the places of the other API
   * @param tails begins tails, in the places of the other API
   * @param rules which fields are labels
   * @param clock states the time of a request
   */
  public LokiRoutes(QueryRunner runner, TailRoutes tails, StreamLabels rules, Clock clock) {
    this.runner = runner;
    this.forms = new LokiForms(new SmallBodies(), runner.clients());
    this.queries = new LokiQueries(rules);
    this.labels = new LokiLabels(rules);
    this.volumes = new LokiVolumes(rules);
    this.clock = clock;
    this.tail = new LokiTail(tails, runner, rules, clock);
  }

  /** Returns an endpoint of Loki's API, which may have any parameters. */
  static Endpoint endpoint(String path) {
    String tag = "loki_" + path.replace("{name}/", "").replace('/', '_');
    return new Endpoint(PREFIX + path, tag, Set.of());
  }

  public void mount(Router router) {
    tail.mount(router);
    route(router, "query_range", queries::queryRange);
    route(router, "query", queries::query);
    route(router, "labels", labels::labels);
    route(router, "label", labels::labels);
    route(router, "label/{name}/values", labels::labelValues);
    route(router, "series", labels::series);
    route(router, "index/stats", volumes::stats);
    route(router, "index/volume", volumes::volume);
    route(router, "index/volume_range", volumes::volumeRange);
    route(router, "detected_labels", labels::detectedLabels);
    route(router, "detected_fields", queries::detectedFields);
    route(router, "detected_field/{name}/values", queries::detectedFieldValues);
    constant(router, "patterns", "{\"status\":\"success\",\"data\":[]}");
    constant(router, "status/buildinfo", BUILD);
    format(router);
  }

  /** Adds a request. Its query is parsed in its place, since that may take some milliseconds. */
  private void route(Router router, String path, Function<LokiRequest, Work> parse) {
    Endpoint endpoint = endpoint(path);
    mount(
        router,
        endpoint,
        (ctx, parameters) -> {
          AnswerHead head = AnswerHead.ofJson(BodyCoding.of(ctx.request().headers()));
          LokiRequest asked = LokiRequest.of(ctx, parameters);
          Supplier<Work> work = Suppliers.memoize(() -> parse.apply(asked));
          runner.answer(ctx, endpoint, new PreparedQuery(Size.UNKNOWN, head, true, work));
        });
  }

  /** Adds a constant answer, which does not depend on the parameters; a form is not read. */
  private static void constant(Router router, String path, String answer) {
    router
        .route(endpoint(path).path())
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .method(HttpMethod.POST)
        .handler(ctx -> answer(ctx, answer));
  }

  private static void answer(RoutingContext ctx, String json) {
    HttpServerResponse response = ctx.response().putHeader("Content-Type", "application/json");
    if (ctx.request().method().equals(HttpMethod.HEAD)) {
      int length = json.getBytes(StandardCharsets.UTF_8).length;
      response.putHeader("Content-Length", Integer.toString(length)).end();
    } else {
      response.end(json);
    }
  }

  private void format(Router router) {
    Endpoint endpoint = endpoint("format_query");
    mount(
        router,
        endpoint,
        (ctx, parameters) ->
            runner
                .away(ctx, () -> format(parameters))
                .onSuccess(formatted -> answer(ctx, formatted))
                .onFailure(failure -> runner.refuse(ctx, endpoint, failure)));
  }

  private static String format(LokiParameters parameters) {
    JsonText out = new JsonText().raw("{\"status\":\"success\",\"data\":");
    return out.string(parameters.query().toString()).raw("}").toString();
  }

  private void mount(
      Router router, Endpoint endpoint, BiConsumer<RoutingContext, LokiParameters> answer) {
    String path = endpoint.path().replace("{name}", ":name");
    router
        .route(path)
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(ctx -> answer(ctx, endpoint, ctx.queryParams(), answer));
    router.post(path).handler(ctx -> answerForm(ctx, endpoint, answer));
  }

  private void answerForm(
      RoutingContext ctx, Endpoint endpoint, BiConsumer<RoutingContext, LokiParameters> answer) {
    forms
        .read(ctx)
        .onSuccess(form -> answer(ctx, endpoint, ctx.queryParams().addAll(form), answer))
        .onFailure(
            refusal -> {
              if (!ctx.response().closed()) {
                Failure.sendAsText(ctx);
                runner.refuse(ctx, endpoint, refusal);
              }
            });
  }

  private void answer(
      RoutingContext ctx,
      Endpoint endpoint,
      MultiMap parameters,
      BiConsumer<RoutingContext, LokiParameters> answer) {
    try {
      Failure.sendAsText(ctx);
      answer.accept(ctx, new LokiParameters(parameters, clock));
    } catch (RuntimeException e) {
      runner.refuse(ctx, endpoint, e);
    }
  }
}
