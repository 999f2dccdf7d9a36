package hourglass.ingest.http;

import hourglass.ingest.decode.Body;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletionStage;

/**
 * Decodes the body of one request into stored events, and answers. One thread at a time calls its
 * methods, each of {@link #ingest} and {@link #answer} once at most.
 */
interface PushDecoder {
  /** Returns whether the events of the request are neither stored nor counted. */
  boolean isTrial();

  /** Returns whether the answer lists a verdict for each event, even if all are forbidden. */
  boolean answersEach();

  /** Returns the bytes of the largest body, unpacked. */
  int bodyBytesMax(IngestOptions options);

  /**
   * Returns the bytes of the largest body that the event loop decodes, which is faster than a
   * worker; 0 if a worker decodes each body. A body with a Content-Encoding is always left to a
   * worker.
   */
  int inlineBytesMax(MultiMap headers);

  /**
   * Writes the events of a body. Runs on a worker, or on the event loop for a small body. All that
   * is made of the body is reserved in the memory of the push.
   *
   * @return fails as the store does
   * @throws PushRefused if the request is refused as a whole
   */
  CompletionStage<Verdicts> ingest(Body body, Push push);

  /**
   * Counts a body whose compression differs from its headers, and returns its verdicts. It is
   * called in place of {@link #ingest}, and throws the same exceptions.
   */
  CompletionStage<Verdicts> unreadable(String problem, IngestService service);

  /** Answers on the event loop. The verdicts list the rejected events by their places, from 0. */
  void answer(RoutingContext ctx, Verdicts verdicts);
}
