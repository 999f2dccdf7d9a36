package hourglass.query.http;

import hourglass.access.Failures;
import hourglass.access.LimitExceededException;
import hourglass.access.Refusal;
import hourglass.access.SecretText;
import hourglass.http.ProblemJson;
import hourglass.query.BadParameterException;
import hourglass.query.NoSuchEventException;
import hourglass.query.TooCostlyException;
import hourglass.query.typed.FilterException;
import hourglass.store.CorruptException;
import hourglass.store.OverloadedException;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A failure as the client sees it.
 *
 * @param retryAfterSeconds 0 if the client should not try again
 * @param outcome for metrics
 * @param facts members of the answer besides those of every problem
 */
public record Failure(
    int status,
    String detail,
    long retryAfterSeconds,
    String outcome,
    @Nullable JsonObject facts,
    @Nullable LimitExceededException limit) {

  public Failure(int status, String detail, long retryAfterSeconds, String outcome) {
    this(status, detail, retryAfterSeconds, outcome, null, null);
  }

  /** The outcome of a query that a request has ended. */
  static final String KILLED = "killed";

  private static final String AS_TEXT = "hourglass.query.text";

  public static Failure of(Throwable thrown) {
    Throwable cause = Failures.cause(thrown);
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof FilterException filter) {
      return new Failure(400, message, 0, "bad_request", FilterAnswer.facts(filter), null);
    }
    if (cause instanceof BadParameterException) {
      return new Failure(400, message, 0, "bad_request");
    }
    if (cause instanceof NoSuchEventException) {
      return new Failure(404, message, 0, "not_found");
    }
    if (cause instanceof TooCostlyException costly) {
      return new Failure(400, message, 0, "too_costly", JsonAnswers.facts(costly.costs()), null);
    }
    if (cause instanceof LimitExceededException limit) {
      return new Failure(429, message, limit.retryAfterSeconds(), "limited", null, limit);
    }
    if (cause instanceof HttpException http) {
      int status = http.getStatusCode();
      return new Failure(
          status, String.valueOf(http.getPayload()), status == 429 ? 1 : 0, outcome(status));
    }
    Refusal refusal = Refusal.of(cause);
    if (refusal != null) {
      return new Failure(
          refusal.status(),
          Refusal.message(cause),
          Refusal.retryAfterSeconds(cause),
          // an operator looks elsewhere than for too many queries
          cause instanceof OverloadedException ? "overloaded" : outcome(refusal));
    }
    if (cause instanceof CorruptException) {
      return new Failure(500, message, 0, "corrupt");
    }
    return new Failure(500, "the query failed; the server's log says why", 0, "error");
  }

  /** Returns the failure of a query that a request has ended. */
  static Failure killed(String id) {
    return new Failure(
        409, "DELETE " + Endpoint.QUERIES.path() + "/" + id + " has ended this query", 0, KILLED);
  }

  private static String outcome(int status) {
    return switch (status) {
      case 404 -> "not_found";
      case 429 -> "too_many";
      default -> "bad_request";
    };
  }

  private static String outcome(Refusal refusal) {
    return switch (refusal) {
      case TOO_MUCH -> "too_many";
      case AWAY -> "unavailable";
      case OUT_OF_TIME -> "timeout";
      case FOR_GOOD -> "bad_request";
    };
  }

  /** Whether the server caused the failure, so that an operator should look at it. */
  boolean isOurs() {
    return status == 500;
  }

  /** Makes all failures of this request a line of text. */
  public static void sendAsText(RoutingContext ctx) {
    ctx.put(AS_TEXT, true);
  }

  /** Sends the failure as the answer. The head must not have been written. */
  public void send(RoutingContext ctx) {
    if (retryAfterSeconds > 0) {
      ctx.response().putHeader("Retry-After", Long.toString(retryAfterSeconds));
    }
    if (ctx.get(AS_TEXT) != null) {
      ctx.response()
          .setStatusCode(status)
          .putHeader("Content-Type", "text/plain; charset=utf-8")
          .putHeader("X-Content-Type-Options", "nosniff")
          .end(SecretText.hide(detail).lines().collect(Collectors.joining(" ")) + "\n");
    } else if (limit != null) {
      ctx.fail(limit); // its answer names the limit
    } else if (facts == null) {
      ctx.fail(new HttpException(status, detail));
    } else {
      ctx.response()
          .setStatusCode(status)
          .putHeader("Content-Type", ProblemJson.CONTENT_TYPE)
          .end(ProblemJson.of(status, detail).mergeIn(facts).toBuffer());
    }
  }

  /**
   * Aborts an answer that has begun, so that the client notices. Resets the HTTP/2 stream, or
   * closes the connection of an older version after the bytes that were written.
   */
  public static void cut(RoutingContext ctx) {
    if (ctx.request().version() == HttpVersion.HTTP_2) {
      ctx.response().reset(Http2Error.INTERNAL_ERROR.code()); // clients may take 0 for a clean end
    } else {
      ctx.request().connection().close();
    }
  }
}
