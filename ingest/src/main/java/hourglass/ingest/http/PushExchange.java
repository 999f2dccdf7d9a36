package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.ingest.decode.Body;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.Verdicts;
import java.util.concurrent.CompletionStage;

/** One push in the terms of its protocol: how its body becomes events, and how it is answered. */
interface PushExchange {
  ContentEncoding encoding();

  /** Up to this length a body that is not packed is decoded faster than handed to a worker. */
  int inlineBytesMax();

  /** Whether the answer has a verdict for each event, so that it need not be refused whole. */
  boolean answersEach();

  /** Whether nothing of the request is stored or counted. */
  default boolean isTrial() {
    return false;
  }

  /** The largest body, unpacked. */
  int maxBodyBytes();

  /**
   * Writes the events of a body. Runs on a worker, or on the event loop for a small body.
   *
   * @param memory of the request; reserve in it all that is made of the body
   * @return fails as the store does
   * @throws PushRefused if the request is refused whole
   */
  CompletionStage<Verdicts> ingest(Body body, InFlightBudget.Reservation memory, Client client);

  /** A body that is not packed as the headers say. */
  CompletionStage<Verdicts> unreadable(String problem);

  /** Answers with verdicts, on the event loop. */
  void answer(Verdicts verdicts);

  /**
   * Answers a request of which nothing is stored, or not all of it for certain.
   *
   * @param cause what the refusal was made of, perhaps itself
   */
  void refuse(PushRefused refused, Throwable cause);
}
