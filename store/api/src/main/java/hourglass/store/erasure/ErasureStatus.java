package hourglass.store.erasure;

import hourglass.bucketing.TimeUuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far an erasure is.
 *
 * @param columns how many columns it hides or has erased
 * @param failure why its bytes could not be removed at the last attempt, which is repeated; null if
 *     it did not fail
 * @param holds what still has the bytes and is not removed by the store, each for a person:
 *     backups, snapshots of nodes; empty if nothing is known to
 */
public record ErasureStatus(
    TimeUuid id, State state, int columns, @Nullable String failure, List<String> holds) {

  /** What was done with the columns. */
  public enum State {
    /** No answer has them any more; that is durable. */
    HIDDEN("hidden"),

    /** Their bytes are being removed. */
    REWRITING("rewriting"),

    /** No file of the store has their bytes. */
    DONE("done");

    private final String text;

    State(String text) {
      this.text = text;
    }

    /** Returns the word of the API. */
    public String text() {
      return text;
    }
  }

  public ErasureStatus {
    holds = List.copyOf(holds);
  }
}
