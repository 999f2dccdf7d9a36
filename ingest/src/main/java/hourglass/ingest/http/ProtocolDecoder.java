package hourglass.ingest.http;

import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Decodes the body of one request in another protocol, and answers in its form. A protocol
 * implements {@link #convert} and {@link #answer}, which are called once each, in this order.
 */
public abstract class ProtocolDecoder implements PushDecoder {
  /**
   * The largest body. It must fit the in-flight budget together with its events while their array
   * grows. Clients of these protocols send a few MiB at most.
   */
  private static final int BODY_BYTES_MAX = 24 << 20;

  /** The part of the in-flight budget for events. While their array grows, they use two of it. */
  private static final int EVENTS_PART = 4;

  /**
   * The largest body that an event loop decodes. Some bodies contain a value only once that each of
   * their events needs, and so become far larger.
   */
  private static final int INLINE_BYTES_MAX = 1024;

  /**
   * Returns whether a part of the body is packed, so that {@link #convert} must run on a worker.
   */
  public boolean isPacked(MultiMap headers) {
    return false;
  }

  /**
   * Returns whether the answer contains a verdict for each event. Otherwise a request is refused as
   * a whole if the client may push none of its events.
   */
  @Override
  public boolean answersEach() {
    return false;
  }

  /** Returns whether a body without a record is refused, and counted as one rejected event. */
  public boolean mustHaveEvents() {
    return false;
  }

  /**
   * Reads a body to its end. Runs on a worker or on an event loop.
   *
   * @param body the body, unpacked by its Content-Encoding
   * @throws PushRefused if no event of the body is stored, as when it cannot be read
   */
  public abstract void convert(Body body, MultiMap headers, ConvertedEvents events);

  /** Answers a request. The verdicts list every rejected event by its place, from 0. */
  @Override
  public abstract void answer(RoutingContext ctx, Verdicts verdicts);

  @Override
  public final boolean isTrial() {
    return false;
  }

  @Override
  public final int bodyBytesMax(IngestOptions options) {
    return limits(options).bodyBytesMax();
  }

  @Override
  public final int inlineBytesMax(MultiMap headers) {
    return isPacked(headers) ? 0 : INLINE_BYTES_MAX;
  }

  /** Returns the limits of the events of one body. */
  static ConversionLimits limits(IngestOptions options) {
    long eventsMax = Math.min(BODY_BYTES_MAX * 2L, options.maxInFlightBytes() / EVENTS_PART);
    return new ConversionLimits(
        Math.min(options.maxBodyBytes(), BODY_BYTES_MAX),
        (int) eventsMax,
        options.maxEventBytes(),
        options.maxNesting());
  }

  @Override
  public final CompletionStage<Verdicts> ingest(Body body, Push push) {
    IngestService service = push.service;
    ConvertedEvents events =
        new ConvertedEvents(
            push.memory, push.protocol.likelyBytes(body.length()), limits(service.options()));
    convert(body, push.request.headers(), events);
    push.protocol.converted(body.length(), events.bytes());
    if (events.ignored() > 0) {
      service.refuse(Reason.NOT_KEPT, events.ignoredBecause(), events.ignored());
    }
    if (events.size() == 0) {
      if (mustHaveEvents()) {
        service.refuse(Reason.BODY_EMPTY, Reason.BODY_EMPTY.text(), 1);
      }
      return CompletableFuture.completedFuture(new Verdicts(0, 0, 0, List.of()));
    }
    ItemRules rules = push.rules().items();
    return service.ingest(events, body, rules, push.keyOfRepeats(), push.client);
  }

  @Override
  public final CompletionStage<Verdicts> unreadable(String problem, IngestService service) {
    throw new PushRefused(400, problem);
  }
}
