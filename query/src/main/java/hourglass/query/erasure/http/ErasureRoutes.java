package hourglass.query.erasure.http;

import hourglass.access.Client;
import hourglass.access.Failures;
import hourglass.access.Refusal;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.http.SmallBodies;
import hourglass.query.BadParameterException;
import hourglass.query.erasure.DryRuns;
import hourglass.query.erasure.ErasureRequest;
import hourglass.query.erasure.ErasureService;
import hourglass.query.erasure.ErasureService.Begun;
import hourglass.query.erasure.FoundEvents;
import hourglass.query.erasure.TokenException;
import hourglass.query.erasure.UncertainErasureException;
import hourglass.query.fair.QueryThread;
import hourglass.query.http.Endpoint;
import hourglass.query.http.QueryRunner;
import hourglass.query.service.QueryService;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.erasure.ErasureStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /api/v1/erasures}: a dry run that states what a selection would erase, the erasure
 * itself, and how far it is. The scans take their places among the queries. Thread-safe.
 */
public final class ErasureRoutes {
  private static final String PATH = "/api/v1/erasures";
  private static final Endpoint ENDPOINT = new Endpoint(PATH, "erasures", Set.of());

  /** The size limit of a body. A thousand ids take 40 KB. */
  private static final int BODY_BYTES_MAX = 64 << 10;

  private static final String ONLY_FOR_ALL_TYPES = "shown to keys of all types only";

  private final QueryRunner runner;
  private final ErasureService service;
  private final DryRuns dryRuns;
  private final SmallBodies bodies = new SmallBodies();
  private final Function<RoutingContext, Consumer<ErasureReport>> audit;

  /**
   * Creates the routes.
   *
   * @param runner runs the scans, in the places of queries
   * @param audit returns a receiver for what a request does, which is called before it is done,
   *     from any thread
   */
  public ErasureRoutes(
      QueryRunner runner,
      ErasureService service,
      DryRuns dryRuns,
      Function<RoutingContext, Consumer<ErasureReport>> audit) {
    this.runner = runner;
    this.service = service;
    this.dryRuns = dryRuns;
    this.audit = audit;
  }

  public void mount(Router router) {
    router.post(PATH).handler(this::read);
    router.get(PATH).handler(this::list);
    router.get(PATH + "/:id").handler(this::show);
  }

  private void read(RoutingContext ctx) {
    Client client = runner.clients().apply(ctx);
    bodies
        .read(ctx, client.share(), BODY_BYTES_MAX)
        .onSuccess(
            bytes -> {
              try {
                ErasureBody body = ErasureBody.parse(bytes.getBytes());
                if (body.request() != null) {
                  dryRun(ctx, client, body.request());
                } else {
                  erase(ctx, client, dryRuns.take(client.share(), String.valueOf(body.token())));
                }
              } catch (RuntimeException e) {
                refuse(ctx, e);
              }
            })
        .onFailure(failure -> refuse(ctx, failure));
  }

  /** Refuses a request, unless its client is gone. */
  private void refuse(RoutingContext ctx, Throwable failure) {
    if (ctx.response().closed() || ctx.response().ended()) {
      return;
    }
    runner.refuse(
        ctx,
        ENDPOINT,
        Failures.cause(failure) instanceof TokenException token ? refusal(token) : failure);
  }

  private static HttpException refusal(TokenException token) {
    int status =
        switch (token.why()) {
          case UNKNOWN -> 404;
          case USED -> 409;
          case EXPIRED -> 410;
        };
    return new HttpException(status, token.getMessage());
  }

  /** Runs a scan in a place, and returns its result on the event loop. */
  private <T> Future<T> search(
      RoutingContext ctx, Client client, BiFunction<QueryService, QueryThread, T> scan) {
    return Future.fromCompletionStage(
        runner.search(ctx, ENDPOINT, client, ctx.response()::closed, scan),
        ctx.vertx().getOrCreateContext());
  }

  // The dry run.

  /** The result of a dry run. */
  private record Estimate(FoundEvents found, long spaceNeeded) {}

  private void dryRun(RoutingContext ctx, Client client, ErasureRequest request) {
    Consumer<ErasureReport> report = audit.apply(ctx);
    search(
            ctx,
            client,
            (on, thread) -> {
              FoundEvents found = on.unerased(thread, () -> service.find(on, request, thread));
              report.accept(ErasureReport.of(ErasureReport.DRY_RUN, null, request, found));
              if (found.missing().isEmpty()) {
                service.require(found);
              }
              return new Estimate(found, service.spaceNeeded(found, thread));
            })
        .onSuccess(
            estimate -> {
              long events = estimate.found().events();
              send(ctx, 200, json(estimate, dryRuns.add(client.share(), request, events)));
            })
        .onFailure(failure -> refuse(ctx, failure));
  }

  private static Buffer json(Estimate estimate, String token) {
    FoundEvents found = estimate.found();
    boolean isEmpty = found.events() == 0;
    String head =
        new JsonObject()
            .put("events", found.events())
            .put("bytes", found.bytes())
            .put("first", isEmpty ? null : Ticks.text(found.firstTicks()))
            .put("last", isEmpty ? null : Ticks.text(found.lastTicks()))
            .put("hours", found.hours())
            .put("space_needed", estimate.spaceNeeded())
            .put("complete", found.missing().isEmpty())
            .put("missing", new JsonArray(found.missing()))
            .put("token", token)
            .put("expires_in_s", DryRuns.VALID.toSeconds())
            .encode();
    Buffer json =
        Buffer.buffer(head.substring(0, head.length() - 1)).appendString(",\"samples\":[");
    for (int i = 0; i < found.samples().size(); i++) {
      json.appendString(i == 0 ? "" : ",").appendBytes(found.samples().get(i));
    }
    return json.appendString("]}");
  }

  // The erasure.

  private void erase(RoutingContext ctx, Client client, DryRuns.Taken taken) {
    AtomicReference<@Nullable TimeUuid> begins = new AtomicReference<>();
    Consumer<ErasureReport> report = audit.apply(ctx);
    ErasureRequest request = taken.request();
    search(
            ctx,
            client,
            (on, thread) ->
                service.erase(
                    on,
                    request,
                    begun -> {
                      TimeUuid id = begun.id();
                      if (id != null) {
                        report.accept(
                            ErasureReport.of(ErasureReport.ERASE, id, request, begun.found()));
                        dryRuns.begins(taken, id);
                        begins.set(id);
                      }
                    },
                    thread))
        .onSuccess(
            begun -> {
              dryRuns.use(taken);
              answer(ctx, client, taken, begun);
            })
        .onFailure(failure -> fail(ctx, taken, begins.get(), Failures.cause(failure)));
  }

  /**
   * Refuses an erasure. Its token can be used again only if the erasure has surely not begun: after
   * one that has, the scan of a repeat finds nothing, so that its answer would deny it.
   *
   * @param id null if the store was not asked to begin it
   */
  private void fail(
      RoutingContext ctx, DryRuns.Taken taken, @Nullable TimeUuid id, Throwable cause) {
    if (id == null || cause instanceof OverloadedException || cause instanceof TooLargeException) {
      dryRuns.giveBack(taken);
      refuse(ctx, cause);
      return;
    }
    dryRuns.use(taken);
    Refusal refusal = Refusal.of(cause);
    refuse(ctx, refusal == null ? cause : new UncertainErasureException(id, refusal, cause));
  }

  private void answer(RoutingContext ctx, Client client, DryRuns.Taken taken, Begun begun) {
    long events = begun.found().events();
    JsonObject answer =
        new JsonObject()
            .put("id", begun.id() == null ? null : begun.id().toString())
            .put("events", events)
            .put("since_dry_run", Math.max(0, events - taken.events()));
    if (begun.id() == null) {
      send(ctx, 200, answer.put("holds", new JsonArray()).toBuffer());
      return;
    }
    later(ctx, service.one(begun.id()))
        .map(status -> status.map(found -> holds(found, client)).orElse(List.of()))
        .otherwise(List.of()) // it has begun, so the answer must say so
        .onSuccess(holds -> send(ctx, 202, answer.put("holds", new JsonArray(holds)).toBuffer()));
  }

  // The states of erasures.

  private void list(RoutingContext ctx) {
    Client client = runner.clients().apply(ctx);
    later(ctx, service.all())
        .onSuccess(
            all ->
                send(
                    ctx,
                    200,
                    new JsonObject()
                        .put(
                            "erasures",
                            new JsonArray(all.stream().map(one -> json(one, client)).toList()))
                        .toBuffer()))
        .onFailure(failure -> refuse(ctx, failure));
  }

  private void show(RoutingContext ctx) {
    TimeUuid id;
    try {
      id = TimeUuid.parse(ctx.pathParam("id"));
    } catch (IllegalArgumentException e) {
      refuse(
          ctx,
          BadParameterException.of("id", ctx.pathParam("id"), "the id that an erasure returned"));
      return;
    }
    later(ctx, service.one(id))
        .onSuccess(
            found -> {
              if (found.isPresent()) {
                send(ctx, 200, json(found.get(), runner.clients().apply(ctx)).toBuffer());
              } else {
                refuse(ctx, new HttpException(404, "id: no erasure has it, or it was forgotten"));
              }
            })
        .onFailure(failure -> refuse(ctx, failure));
  }

  private static <T> Future<T> later(RoutingContext ctx, CompletionStage<T> stage) {
    return Future.fromCompletionStage(stage, ctx.vertx().getOrCreateContext());
  }

  private static JsonObject json(ErasureStatus status, Client client) {
    return new JsonObject()
        .put("id", status.id().toString())
        .put("at", Ticks.text(status.id().ticks()))
        .put("state", status.state().text())
        .put("events", status.columns())
        .put("failure", visible(status.failure(), client))
        .put("holds", new JsonArray(holds(status, client)));
  }

  private static List<String> holds(ErasureStatus status, Client client) {
    return status.holds().stream()
        .map(hold -> String.valueOf(visible(hold, client)))
        .distinct()
        .toList();
  }

  /** Returns a text that may name rows of any type, or what stands for it. */
  private static @Nullable String visible(@Nullable String text, Client client) {
    return text == null || client.types().isAll() ? text : ONLY_FOR_ALL_TYPES;
  }

  private static void send(RoutingContext ctx, int status, Buffer json) {
    if (!ctx.response().ended() && !ctx.response().closed()) {
      ctx.response()
          .setStatusCode(status)
          .putHeader("Content-Type", "application/json")
          .putHeader("Cache-Control", "no-store")
          .end(json);
    }
  }
}
