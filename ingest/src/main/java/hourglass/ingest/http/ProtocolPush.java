package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A push in another protocol. */
final class ProtocolPush implements PushExchange {
  /**
   * The largest body. It must fit the in-flight budget together with its events while their array
   * grows. Clients of these protocols send a few MiB at most.
   */
  static final int BODY_BYTES_MAX = 24 << 20;

  /** The part of the in-flight budget for events. While their array grows, they use two of it. */
  private static final int EVENTS_PART = 4;

  /**
   * The longest wait for a retry. Exporters of OpenTelemetry drop a batch that would wait for more
   * than ten seconds. A client that is still above its limit after this time is refused again.
   */
  private static final long RETRY_AFTER_SECONDS_MAX = 5;

  /**
   * The largest body that an event loop decodes. Some bodies contain a value only once that each of
   * their events needs, and so become far larger.
   */
  private static final int INLINE_BYTES_MAX = 1024;

  private final IngestService service;
  private final PushProtocol protocol;
  private final PushProtocol.Request push;
  private final RoutingContext ctx;
  private final PushRules rules;
  private final ContentEncoding encoding;

  /** Reads the rules and headers of a request. Throws {@link PushRefused}. */
  ProtocolPush(
      IngestService service, PushProtocol protocol, PushProtocol.Request push, RoutingContext ctx) {
    this.service = service;
    this.protocol = protocol;
    this.push = push;
    this.ctx = ctx;
    HttpServerRequest request = ctx.request();
    this.rules = protocol.rules().with(request);
    String packed = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    this.encoding = ContentEncoding.of(protocol.unpacks(packed) ? null : packed);
  }

  @Override
  public ContentEncoding encoding() {
    return encoding;
  }

  @Override
  public int inlineBytesMax() {
    return push.isPacked(ctx.request().headers()) ? 0 : INLINE_BYTES_MAX;
  }

  @Override
  public boolean answersEach() {
    return push.answersEach();
  }

  @Override
  public int maxBodyBytes() {
    return maxBodyBytes(service.options());
  }

  @Override
  public CompletionStage<Verdicts> ingest(
      Body body, InFlightBudget.Reservation memory, Client client) {
    int likelyBytes = protocol.likelyBytes(body.length());
    ConvertedEvents events = new ConvertedEvents(memory, likelyBytes, limits(service.options()));
    push.convert(body, ctx.request().headers(), events);
    protocol.converted(body.length(), events.bytes());
    if (events.ignored() > 0) {
      service.refuse(Reason.NOT_KEPT, events.ignoredBecause(), events.ignored());
    }
    if (events.size() == 0) {
      if (push.mustHaveEvents()) {
        service.refuse(Reason.BODY_EMPTY, Reason.BODY_EMPTY.text(), 1);
      }
      return CompletableFuture.completedFuture(new Verdicts(0, 0, 0, List.of()));
    }
    // A request that is repeated as a whole has the same path, type and body.
    String key = "identity=body " + ctx.normalizedPath() + " " + rules.items().mapping().type();
    return service.ingest(events, body, rules.items(), key, client);
  }

  static ConversionLimits limits(IngestOptions options) {
    long eventsMax = Math.min(BODY_BYTES_MAX * 2L, options.maxInFlightBytes() / EVENTS_PART);
    return new ConversionLimits(
        maxBodyBytes(options), (int) eventsMax, options.maxEventBytes(), options.maxNesting());
  }

  private static int maxBodyBytes(IngestOptions options) {
    return Math.min(options.maxBodyBytes(), BODY_BYTES_MAX);
  }

  @Override
  public CompletionStage<Verdicts> unreadable(String problem) {
    service.refuse(Reason.BODY_UNREADABLE, problem);
    return CompletableFuture.failedFuture(new PushRefused(400, problem));
  }

  @Override
  public void answer(Verdicts verdicts) {
    push.answer(ctx, verdicts);
  }

  @Override
  public void refuse(PushRefused refused, Throwable cause) {
    refuse(protocol, ctx, refused);
  }

  /** Refuses a request that could not become an exchange. */
  static void refuse(PushProtocol protocol, RoutingContext ctx, PushRefused refused) {
    protocol.refuse(ctx, refused.within(RETRY_AFTER_SECONDS_MAX));
  }
}
