package hourglass.ingest.http;

import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * A protocol that clients speak over HTTP: its paths, and its form of refusals. It hands requests
 * with a decoder of their bodies to {@link IngestRoutes}; reading, limits, memory and the store are
 * the same for all protocols. Thread-safe.
 */
public abstract class PushProtocol {
  /**
   * The longest wait for a retry. Exporters of OpenTelemetry drop a batch that would wait for more
   * than ten seconds. A client that is still above its limit after this time is refused again.
   */
  private static final long RETRY_AFTER_SECONDS_MAX = 5;

  /**
   * The largest body whose growth is foreseen. A larger one reserves no more than it needs, even
   * after a push of another kind.
   */
  private static final int FORESEEN_BYTES_MAX = 1 << 20;

  private static final int GROWTH_MAX = 4;

  /** The factor for pushes of one client that are alike, but not the same. */
  private static final float MARGIN = 1.05f;

  private static final String STATUS = "hourglass.status";

  private final String name;
  private final PushRules rules;

  /** The length of the events of the last push, in multiples of its body. */
  private volatile float growth = 1;

  /**
   * Creates a protocol.
   *
   * @param name the name in lower case, as in {@code protocols.NAME} of the settings
   * @param rules the rules of its items, where a request does not give others
   */
  protected PushProtocol(String name, PushRules rules) {
    this.name = name;
    this.rules = rules;
  }

  /**
   * Returns the name in lower case, as in {@code protocols.NAME} of the settings. Metrics use it as
   * a label.
   */
  public final String name() {
    return name;
  }

  /** Returns the rules of the protocol alone, without those of a request. */
  public final PushRules rules() {
    return rules;
  }

  /**
   * Returns the rules of a request.
   *
   * @throws PushRefused if it gives a value that is not allowed
   */
  PushRules rules(RoutingContext ctx) {
    return rules.with(ctx.request());
  }

  /** Returns the longest {@code Retry-After} of a refused request, in seconds. */
  long retryAfterSecondsMax() {
    return RETRY_AFTER_SECONDS_MAX;
  }

  /**
   * Returns the bytes that the events of a body likely need, since an array that grows is copied.
   */
  final int likelyBytes(int bodyBytes) {
    return bodyBytes > FORESEEN_BYTES_MAX ? bodyBytes : (int) (bodyBytes * growth);
  }

  final void converted(int bodyBytes, int eventBytes) {
    float ratio = MARGIN * eventBytes / Math.max(1, bodyBytes);
    growth = Math.max(1, Math.min(GROWTH_MAX, ratio));
  }

  /** Mounts the routes of the protocol. Those that push hand their requests to {@code pushes}. */
  public abstract void mount(Router router, IngestRoutes pushes);

  /**
   * Mounts a handler on all paths whose requests are refused in the form of this protocol, also
   * where there is no other route.
   */
  public abstract void mountForm(Router router, Handler<RoutingContext> form);

  /**
   * Answers a request that stored no events, or perhaps only some: it has no valid key, is above a
   * limit, met an overload, or cannot be read or found. The answer must allow a repeat, by the
   * rules of the protocol, if and only if {@link PushRefused#isTransient}.
   */
  public abstract void refuse(RoutingContext ctx, PushRefused refused);

  /**
   * Returns whether the protocol itself unpacks bodies of this Content-Encoding; null if the
   * request has none.
   */
  public boolean unpacks(@Nullable String contentEncoding) {
    return false;
  }

  /**
   * Sets the HTTP status that an answer stands for, in metrics and the audit file. It is for
   * protocols that refuse with status 200.
   */
  public static void standsFor(RoutingContext ctx, int status) {
    ctx.put(STATUS, status);
  }

  /** Returns the status that an answer stands for: by default, its own. */
  public static int status(RoutingContext ctx) {
    Integer status = ctx.get(STATUS);
    return status == null ? ctx.response().getStatusCode() : status;
  }

  /** Answers a stream that was read to its end, and whose events are all stored. */
  public void answerStream(RoutingContext ctx) {
    ctx.response().end();
  }
}
