package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.ingest.decode.Body;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.Verdicts;
import java.util.concurrent.CompletionStage;

/** One push in the terms of its protocol: it turns the body into events, and answers. */
interface PushExchange {
  ContentEncoding encoding();

  /**
   * Returns the length up to which a body that is not packed is decoded on the event loop, which is
   * faster than a worker.
   */
  int inlineBytesMax();

  /**
   * Returns whether the answer contains a verdict for each event, so that a request need not be
   * refused as a whole.
   */
  boolean answersEach();

  /** Returns whether the events of the request are neither stored nor counted. */
  default boolean isTrial() {
    return false;
  }

  /** Returns the length of the largest body, unpacked. */
  int maxBodyBytes();

  /**
   * Writes the events of a body. Runs on a worker, or on the event loop for a small body.
   *
   * @param memory the memory of the request, in which all that is made of the body is reserved
   * @return fails as the store does
   * @throws PushRefused if the request is refused as a whole
   */
  CompletionStage<Verdicts> ingest(Body body, InFlightBudget.Reservation memory, Client client);

  /** Counts a body that is not packed as the headers state, and returns its verdicts. */
  CompletionStage<Verdicts> unreadable(String problem);

  /** Answers with verdicts, on the event loop. */
  void answer(Verdicts verdicts);

  /**
   * Answers a request that stored no event, or perhaps not all.
   *
   * @param cause the cause of the refusal, perhaps the refusal itself
   */
  void refuse(PushRefused refused, Throwable cause);
}
