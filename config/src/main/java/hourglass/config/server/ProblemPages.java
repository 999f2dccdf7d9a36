package hourglass.config.server;

import hourglass.access.Failures;
import hourglass.access.LimitExceededException;
import hourglass.access.Refusal;
import hourglass.access.RequestId;
import hourglass.config.gate.Problem;
import hourglass.config.gate.RefusedRequest;
import hourglass.config.gate.RequestGate;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers every error of the HTTP interface as application/problem+json (RFC 9457). */
final class ProblemPages {
  private static final String RETRY_AFTER_SECONDS = "1";
  private static final Logger logger = LoggerFactory.getLogger(ProblemPages.class);

  private ProblemPages() {}

  static void mount(Router router) {
    router.route().failureHandler(ctx -> failed(ctx, router));
    for (int status : List.of(400, 404, 405, 406, 415)) {
      router.errorHandler(status, ctx -> failed(ctx, router));
    }
  }

  /** Answers, before any route, a request that is not HTTP or that is too long. */
  static void invalidRequest(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      RequestGate.invalid(request, 414, "the request line is too long: http.max-header-bytes");
    } else if (cause instanceof TooLongHttpHeaderException) {
      RequestGate.invalid(request, 431, "the headers are too long: http.max-header-bytes");
    } else if (cause instanceof RefusedRequest refused) {
      RequestGate.invalid(request, refused.status(), refused.detail());
    } else {
      RequestGate.invalid(request, 400, "not HTTP: " + cause.getMessage());
    }
  }

  private static void failed(RoutingContext ctx, Router router) {
    Throwable failure = ctx.failure() == null ? null : Failures.cause(ctx.failure());
    if (failure != null) {
      FatalErrors.haltIfFatal(failure);
    }
    if (ctx.response().ended()) {
      return;
    }
    if (failure instanceof LimitExceededException limit && !ctx.response().headWritten()) {
      Problem.send(ctx, limit);
      return;
    }
    int status = status(ctx.statusCode(), failure);
    if (status == 500
        && !(failure instanceof HttpException)) { // an HttpException has its own detail
      logger.error(
          "{} {} failed, request {}",
          ctx.request().method(),
          ctx.request().path(),
          ctx.response().headers().get(RequestId.HEADER),
          failure);
    }
    if (ctx.response().headWritten()) {
      breakOff(ctx);
      return;
    }
    if ((status == 429 || status == 503)
        && !ctx.response().headers().contains(HttpHeaders.RETRY_AFTER)) {
      ctx.response().putHeader(HttpHeaders.RETRY_AFTER, retryAfter(failure));
    }
    if (status == 405 && !ctx.response().headers().contains(HttpHeaders.ALLOW)) {
      ctx.response().putHeader(HttpHeaders.ALLOW, allowed(ctx, router));
    }
    Problem.send(ctx, status, detail(ctx, status, failure));
  }

  /**
   * Breaks off an answer that failed after its head was sent, so that its body does not look
   * complete.
   */
  private static void breakOff(RoutingContext ctx) {
    if (ctx.request().version() == HttpVersion.HTTP_2) {
      ctx.response().reset(Http2Error.INTERNAL_ERROR.code());
    } else {
      ctx.request().connection().close();
    }
  }

  /** Returns the methods of the path, which RFC 9110 requires in the Allow header of a 405. */
  private static String allowed(RoutingContext ctx, Router router) {
    return router.getRoutes().stream()
        .filter(route -> route.methods() != null && isAt(route.getPath(), ctx.normalizedPath()))
        .flatMap(route -> route.methods().stream())
        .map(HttpMethod::name)
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** Returns whether a route's path, such as {@code /events/:id}, matches the path of a request. */
  private static boolean isAt(@Nullable String route, String path) {
    return route != null && path.matches(route.replaceAll(":\\w+", "[^/]+"));
  }

  private static int status(int status, @Nullable Throwable failure) {
    if (failure instanceof HttpException known) {
      return known.getStatusCode();
    }
    Refusal refusal = failure == null ? null : Refusal.of(failure);
    if (refusal != null) {
      return refusal.status();
    }
    return status < 400 ? 500 : status;
  }

  private static String retryAfter(@Nullable Throwable failure) {
    long seconds = failure == null ? 0 : Refusal.retryAfterSeconds(failure);
    return seconds > 0 ? Long.toString(seconds) : RETRY_AFTER_SECONDS;
  }

  private static @Nullable String detail(
      RoutingContext ctx, int status, @Nullable Throwable failure) {
    if (failure instanceof HttpException known) {
      return known.getPayload();
    }
    String path = ctx.request().path();
    return switch (status) {
      case 404 -> "there is nothing at " + path;
      case 405 -> path + " does not take " + ctx.request().method();
      case 500 -> "an error of the server; its log says more";
      default -> failure == null ? null : Refusal.message(failure);
    };
  }
}
