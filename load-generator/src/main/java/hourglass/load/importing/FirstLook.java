package hourglass.load.importing;

import hourglass.command.ServerOptions;
import hourglass.load.client.Backoff;
import hourglass.load.client.Batch;
import hourglass.load.client.Destination;
import hourglass.load.client.PushAnswer;
import hourglass.load.command.Figures;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.Nanos;
import hourglass.load.send.RepeatRule;
import java.time.Duration;

/**
 * Asks the server how it would read events, without storing them.
 *
 * @param query parameters of a request that would store them, with their question mark
 * @param patience how long to wait for a server that cannot answer now
 */
record FirstLook(Destination server, String query, Duration patience, Nanos nanos)
    implements RepeatRule {
  private static final int EVENTS = 1_000;

  /** The Idempotency-Key of requests that store nothing. */
  private static final String DRY_KEY = "dry-run";

  /** The beginning of the server's reasons about a wrong time. */
  private static final String TIME_REASON = "time:";

  /**
   * Stops an import that would give most events the time of receipt, or in which most would be
   * refused for their time, if the server knows which options would help.
   *
   * @throws LoadFailure in that case, or if there is no answer
   */
  void check(Input input) throws InterruptedException {
    Batch batch = ImportSource.beginning(input, EVENTS);
    if (batch == null) {
      return;
    }
    PushAnswer.Verdict verdict = ask(batch, false);
    long withoutTime = verdict.untimed() + refusedForTime(verdict);
    Suggestion suggestion = Suggestion.of(verdict.answer());
    if (2 * withoutTime > batch.events() && !suggestion.options().isEmpty()) {
      throw new LoadFailure(
          ("%s: %,d of its first %,d events have no time that is read, so nothing was stored; %s,"
                  + " or --received for the time of receipt")
              .formatted(input.name(), withoutTime, batch.events(), suggestion.advice()));
    }
  }

  private static long refusedForTime(PushAnswer.Verdict verdict) {
    long refused = 0;
    for (Figures error : verdict.answer().objects("errors")) {
      if (error.text("reason").startsWith(TIME_REASON)) {
        refused += error.count("count", 1);
      }
    }
    return refused;
  }

  /**
   * Returns whether no event of the batch would get another time. The server recognizes the others
   * by their places.
   */
  @Override
  public boolean isSafe(Batch batch) {
    try {
      return ask(batch, true).untimed() == 0;
    } catch (LoadFailure e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Returns the verdict on a batch.
   *
   * @param wasReached whether the server answered before, so that it may answer again
   */
  private PushAnswer.Verdict ask(Batch batch, boolean wasReached) throws InterruptedException {
    long giveUpNanos = nanos.now() + patience.toNanos();
    for (int attempt = 0; ; attempt++) {
      PushAnswer answer = server.push(batch, dryQuery(), DRY_KEY, attempt);
      if (answer instanceof PushAnswer.Verdict verdict) {
        return verdict;
      }
      PushAnswer.Failure failure = (PushAnswer.Failure) answer;
      long waitMillis = Backoff.millis(attempt, failure.retryAfterMillis());
      if (failure.isUnreached() && !wasReached) {
        throw new LoadFailure(failure + "; " + ServerOptions.REMEDY);
      }
      if (failure.isFinal() || nanos.now() + waitMillis * 1_000_000 > giveUpNanos) {
        throw new LoadFailure(failure.toString());
      }
      Thread.sleep(waitMillis);
    }
  }

  private String dryQuery() {
    return query + (query.isEmpty() ? "?" : "&") + "dry_run=true";
  }
}
