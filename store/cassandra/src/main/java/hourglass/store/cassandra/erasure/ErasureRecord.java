package hourglass.store.cassandra.erasure;

import hourglass.bucketing.TimeUuid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table {@code erasures}. Immutable.
 *
 * @param round how often it was about to delete what had been replaced
 * @param columns how many columns are erased
 * @param parts the records of their names; of their hashes, once it is done
 * @param blanked the members that become {@code null}; empty if the columns go as a whole
 * @param failure why the last attempt that ended did not remove the bytes; null if none failed, or
 *     if it is done
 */
public record ErasureRecord(
    TimeUuid id,
    State state,
    int round,
    int columns,
    int parts,
    List<String> blanked,
    @Nullable String failure) {

  /** How far an erasure is. */
  public enum State {
    /** The columns are in no answer. */
    HIDDEN("hidden"),

    /** The rows get other pages. */
    REWRITING("rewriting"),

    /** All rows have other pages, and what these replaced is deleted. */
    DELETING("deleting"),

    /** The tables have only hashes of the names. */
    DONE("done");

    private final String text;

    State(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    static State parse(String text) {
      for (State state : values()) {
        if (state.text.equals(text)) {
          return state;
        }
      }
      throw new IllegalStateException(
          "erasures: the state \"" + text + "\", which a later version wrote");
    }
  }

  public ErasureRecord {
    blanked = List.copyOf(blanked);
  }

  public boolean isDone() {
    return state == State.DONE;
  }
}
