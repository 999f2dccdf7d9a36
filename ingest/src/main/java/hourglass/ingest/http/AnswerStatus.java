package hourglass.ingest.http;

import io.vertx.ext.web.RoutingContext;

/**
 * The status of an answer for metrics and the audit file. A protocol that refuses with status 200
 * sets another one here.
 */
public final class AnswerStatus {
  private static final String KEY = "hourglass.status";

  private AnswerStatus() {}

  /** Sets the HTTP status that the answer stands for. */
  public static void set(RoutingContext ctx, int status) {
    ctx.put(KEY, status);
  }

  /** Returns the status that was set, or else the status of the response. */
  public static int of(RoutingContext ctx) {
    Integer status = ctx.get(KEY);
    return status == null ? ctx.response().getStatusCode() : status;
  }
}
