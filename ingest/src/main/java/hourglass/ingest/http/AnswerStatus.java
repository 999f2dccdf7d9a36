package hourglass.ingest.http;

import io.vertx.ext.web.RoutingContext;

/**
 * The status of an answer for metrics and the audit file. A protocol that refuses with a status of
 * 200 sets it.
 */
public final class AnswerStatus {
  private static final String KEY = "hourglass.status";

  private AnswerStatus() {}

  /** Sets the status of HTTP that the answer stands for. */
  public static void set(RoutingContext ctx, int status) {
    ctx.put(KEY, status);
  }

  /** The status that was set, or else that of the response. */
  public static int of(RoutingContext ctx) {
    Integer status = ctx.get(KEY);
    return status == null ? ctx.response().getStatusCode() : status;
  }
}
