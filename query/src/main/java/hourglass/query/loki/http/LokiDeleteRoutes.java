package hourglass.query.loki.http;

import hourglass.access.Client;
import hourglass.access.Failures;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.http.SmallBodies;
import hourglass.query.BadParameterException;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.erasure.ErasureRequest;
import hourglass.query.erasure.ErasureService;
import hourglass.query.erasure.http.ErasureReport;
import hourglass.query.http.Endpoint;
import hourglass.query.http.Failure;
import hourglass.query.http.QueryRunner;
import hourglass.query.line.StreamLabels;
import hourglass.query.loki.LogFilter;
import hourglass.store.erasure.ErasureStatus;
import hourglass.store.erasure.ErasureStatus.State;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests to delete lines of Loki's API. Loki waits for a day in which a request can be
 * cancelled; here, the lines are hidden when the answer arrives, and no request can be cancelled.
 * Thread-safe.
 *
 * <p>Source: "Compactor" of Loki's HTTP API.
 */
public final class LokiDeleteRoutes {
  private static final Endpoint ENDPOINT = LokiRoutes.endpoint("delete");

  /** The most requests whose range and query are shown. A query is at most 128 KiB. */
  private static final int ASKED_MAX = 100;

  /** The time between two looks for requests whose events are gone, so that their texts go too. */
  private static final long LOOK_MILLIS = 1_000;

  private static final String NO_TEXT = "";

  private final QueryRunner runner;
  private final ErasureService service;
  private final LokiForms forms;
  private final StreamLabels rules;
  private final Clock clock;
  private final Function<RoutingContext, Consumer<ErasureReport>> audit;

  /** The requests by their ids, the oldest first. Guarded by itself. */
  private final Map<TimeUuid, Asked> asked = new LinkedHashMap<>();

  /** Whether a look is due or under way, so that there is one at a time. Guarded by asked. */
  private boolean looks;

  /**
   * One request.
   *
   * @param client the share of the client that asked; others do not see what it sought
   * @param query empty once the events are gone, since it may contain what was erased
   */
  private record Asked(Object client, TimeRange range, String query) {}

  /**
   * Creates the routes.
   *
   * @param runner runs the scans, in the places of queries
   * @param rules which fields are labels
   * @param clock states the time of a request
   * @param audit returns a receiver for what a request does, which is called before it is done,
   *     from any thread
   */
  public LokiDeleteRoutes(
      QueryRunner runner,
      ErasureService service,
      StreamLabels rules,
      Clock clock,
      Function<RoutingContext, Consumer<ErasureReport>> audit) {
    this.runner = runner;
    this.service = service;
    this.forms = new LokiForms(new SmallBodies(), runner.clients());
    this.rules = rules;
    this.clock = clock;
    this.audit = audit;
  }

  public void mount(Router router) {
    router
        .route(ENDPOINT.path())
        .method(HttpMethod.POST)
        .method(HttpMethod.PUT)
        .handler(this::delete);
    router.get(ENDPOINT.path()).handler(this::list);
    router.delete(ENDPOINT.path()).handler(this::cancel);
  }

  private void delete(RoutingContext ctx) {
    Failure.sendAsText(ctx);
    MultiMap parameters = takeParameters(ctx);
    Consumer<ErasureReport> report = audit.apply(ctx);
    forms
        .read(ctx)
        .compose(
            form -> {
              LokiParameters all = new LokiParameters(parameters.addAll(form), clock);
              Selection selection = selection(all);
              return erase(ctx, selection, String.valueOf(all.text("query")), report);
            })
        .onSuccess(done -> noContent(ctx))
        .onFailure(failure -> refuse(ctx, failure));
  }

  /**
   * Takes the parameters out of the request, so that the list of queries and the log of slow ones
   * do not show the text.
   */
  private static MultiMap takeParameters(RoutingContext ctx) {
    MultiMap parameters = MultiMap.caseInsensitiveMultiMap().addAll(ctx.queryParams());
    ctx.queryParams().clear();
    return parameters;
  }

  private Selection selection(LokiParameters parameters) {
    LogFilter lines = LogFilter.of(parameters.selector(), rules);
    if (parameters.text("start") == null) {
      throw new BadParameterException("start: not given");
    }
    TimeRange range = parameters.range();
    // Loki's end is included here, as nowhere else.
    long end = Math.min(range.toTicks() + 1, TimeRange.ALL.toTicks());
    return new Selection(new TimeRange(range.fromTicks(), end), lines);
  }

  private Future<Void> erase(
      RoutingContext ctx, Selection selection, String query, Consumer<ErasureReport> report) {
    ErasureRequest request = new ErasureRequest(List.of(selection), List.of(), NO_TEXT);
    Client client = runner.clients().apply(ctx);
    return Future.fromCompletionStage(
            runner.search(
                ctx,
                ENDPOINT,
                client,
                ctx.response()::closed,
                (on, thread) ->
                    service.erase(
                        on,
                        request,
                        begun -> {
                          TimeUuid id = begun.id();
                          if (id != null) {
                            report.accept(
                                ErasureReport.of(ErasureReport.ERASE, id, request, begun.found()));
                            note(id, new Asked(client.share(), selection.range(), query));
                          }
                        },
                        thread)),
            ctx.vertx().getOrCreateContext())
        .onComplete(done -> lookLater(ctx.vertx()))
        .mapEmpty();
  }

  private void note(TimeUuid id, Asked request) {
    synchronized (asked) {
      asked.put(id, request);
      if (asked.size() > ASKED_MAX) {
        asked.remove(asked.keySet().iterator().next());
      }
    }
  }

  /** Forgets the texts of requests whose events are gone, and looks again while others are left. */
  private void lookLater(Vertx vertx) {
    synchronized (asked) {
      if (looks || asked.values().stream().allMatch(each -> each.query().isEmpty())) {
        return;
      }
      looks = true;
    }
    vertx
        .timer(LOOK_MILLIS, TimeUnit.MILLISECONDS)
        .compose(due -> Future.fromCompletionStage(service.all(), vertx.getOrCreateContext()))
        .onSuccess(this::forgetTexts)
        .onComplete(
            looked -> {
              synchronized (asked) {
                looks = false;
              }
              lookLater(vertx);
            });
  }

  private void forgetTexts(List<ErasureStatus> all) {
    List<TimeUuid> underWay =
        all.stream().filter(status -> status.state() != State.DONE).map(ErasureStatus::id).toList();
    synchronized (asked) {
      asked.replaceAll(
          (id, each) ->
              underWay.contains(id) ? each : new Asked(each.client(), each.range(), NO_TEXT));
    }
  }

  private void list(RoutingContext ctx) {
    Failure.sendAsText(ctx);
    Object client = runner.clients().apply(ctx).share();
    later(ctx, service.all())
        .onSuccess(
            all -> {
              forgetTexts(all);
              JsonArray requests = new JsonArray();
              all.stream()
                  .sorted(Comparator.comparing(ErasureStatus::id))
                  .forEach(status -> requests.add(json(status, client)));
              ctx.response()
                  .putHeader("Content-Type", "application/json")
                  .putHeader("Cache-Control", "no-store")
                  .end(requests.encode());
            })
        .onFailure(failure -> refuse(ctx, failure));
  }

  private JsonObject json(ErasureStatus status, Object client) {
    Asked known;
    synchronized (asked) {
      known = asked.get(status.id());
    }
    return new JsonObject()
        .put("request_id", status.id().toString())
        .put("start_time", known == null ? 0 : seconds(known.range().fromTicks()))
        .put("end_time", known == null ? 0 : seconds(known.range().toTicks() - 1))
        .put("query", known == null || !known.client().equals(client) ? NO_TEXT : known.query())
        .put("status", status.state() == State.DONE ? "processed" : "received")
        .put("created_at", seconds(status.id().ticks()));
  }

  /** Returns the seconds since 1970, with milliseconds as Loki has them. */
  private static BigDecimal seconds(long ticks) {
    Instant time = Ticks.toInstant(ticks);
    return BigDecimal.valueOf(time.toEpochMilli(), 3);
  }

  private void cancel(RoutingContext ctx) {
    Failure.sendAsText(ctx);
    TimeUuid id = id(ctx.queryParams().get("request_id"));
    later(ctx, service.all())
        .onSuccess(
            all ->
                refuse(
                    ctx,
                    all.stream().anyMatch(status -> status.id().equals(id))
                        ? new HttpException(
                            400,
                            "deletion of request which is in process or already processed is not"
                                + " allowed: its lines were hidden when it was accepted")
                        : new HttpException(404, "could not find delete request with given id")))
        .onFailure(failure -> refuse(ctx, failure));
  }

  private static @Nullable TimeUuid id(@Nullable String text) {
    try {
      return text == null ? null : TimeUuid.parse(text);
    } catch (IllegalArgumentException e) {
      return null; // an id that no request has
    }
  }

  private static <T> Future<T> later(RoutingContext ctx, CompletionStage<T> stage) {
    return Future.fromCompletionStage(stage, ctx.vertx().getOrCreateContext());
  }

  private static void noContent(RoutingContext ctx) {
    if (!ctx.response().ended() && !ctx.response().closed()) {
      ctx.response().setStatusCode(204).end();
    }
  }

  private void refuse(RoutingContext ctx, Throwable failure) {
    if (!ctx.response().ended() && !ctx.response().closed()) {
      runner.refuse(ctx, ENDPOINT, Failures.cause(failure));
    }
  }
}
