package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.Failures;
import hourglass.access.Quota;
import hourglass.access.RequestId;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestService;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One push over HTTP, in any protocol: its turn, its memory, its rules and its refusal. It reads
 * and answers on its event loop.
 */
abstract class Push {
  private static final Logger logger = LoggerFactory.getLogger(Push.class);

  final IngestService service;
  final PushProtocol protocol;
  final RoutingContext ctx;
  final HttpServerRequest request;
  final Context context;
  final Client client;

  /** The memory of all that the push holds. */
  final InFlightBudget.Reservation memory;

  State state = State.READING;

  // The beginning of the request sets these:
  private PushRules rules;
  private Quota.@Nullable Turn turn;

  enum State {
    READING,
    /** Reading waits for memory or for the quota of bytes, and continues with the same piece. */
    WAITING,
    /** Reading has ended, and the events so far are being stored. */
    STORING,
    /** The push is answered, or its connection is lost. */
    OVER
  }

  Push(IngestService service, PushProtocol protocol, RoutingContext ctx, Client client) {
    this.service = service;
    this.protocol = protocol;
    this.ctx = ctx;
    this.request = ctx.request();
    this.context = ctx.vertx().getOrCreateContext();
    this.client = client;
    this.memory = service.inFlight().reservation(client.share());
    this.rules = protocol.rules();
  }

  /** Takes a turn of the client's requests, and reads the rules of this one. */
  final void begin() {
    turn = client.quota().push();
    rules = protocol.rules(ctx);
  }

  /** Returns the rules of the request; before it begins, those of its protocol. */
  final PushRules rules() {
    return rules;
  }

  /**
   * Returns the key that identifies the events of this request together with its body. A request
   * that is repeated as a whole has the same path, type and body.
   */
  final String keyOfRepeats() {
    return "identity=body " + ctx.normalizedPath() + " " + rules.items().mapping().type();
  }

  /** Asks a client that waits for it to send the body. */
  final void askForBody() {
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))
        && !ctx.response().ended()) {
      ctx.response().writeContinue();
    }
  }

  /** Releases the memory and the turn, on any thread. It may be called again. */
  final void release() {
    memory.release();
    if (turn != null) {
      turn.close();
    }
  }

  /** Ends the push, unless it is over. Its client, if still connected, gets a refusal. */
  final void fail(Throwable failure) {
    if (state == State.OVER) {
      return;
    }
    end();
    if (!ctx.response().closed() && !ctx.response().ended()) {
      refuse(refusal(failure));
    }
  }

  private PushRefused refusal(Throwable failure) {
    PushRefused known = PushRefused.of(failure);
    if (known == null) {
      String id = ctx.response().headers().get(RequestId.HEADER);
      logger.error("push {} failed", id, Failures.cause(failure));
      return new PushRefused(500, "the events could not be stored");
    }
    return known;
  }

  /** Sets the state to {@link State#OVER}, and releases all that the push holds. */
  abstract void end();

  /** Counts and answers a refusal, after the end of the push. */
  abstract void refuse(PushRefused refused);
}
