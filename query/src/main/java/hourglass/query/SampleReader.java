package hourglass.query;

import hourglass.store.Columns;
import hourglass.store.FieldValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Derives samples from events: each has a group, by equality, and a number. Immutable.
 *
 * @param <G> the groups
 */
public interface SampleReader<G> {

  /**
   * Returns the fields, from the root of the payload, from which samples are derived; null if that
   * needs payloads.
   */
  @Nullable List<String> fields();

  /** Begins to read events of a type. */
  OfType<G> of(String type);

  /** Returns the approximate memory of a group, in bytes. */
  long bytes(G group);

  /** Reads the samples of one type. Used by one thread at a time. */
  interface OfType<G> {
    /**
     * Returns the sample of entry {@code i} of the values of the fields; null if the event has
     * none.
     */
    @Nullable Sample<G> read(FieldValues values, int i);

    /** Returns the sample of column {@code i} of a row; null if the event has none. */
    @Nullable Sample<G> read(Columns columns, int i);
  }

  /** The number of an event, and its group. */
  record Sample<G>(G group, double number) {}

  /**
   * A question for samples in steps.
   *
   * @param stepMillis the length of a step
   * @param figure the figure that is kept of the numbers of a group in a step
   */
  record Query<G>(
      Selection selection, long stepMillis, SampleReader<G> reader, Samples.Figure figure) {

    public Steps steps() {
      return new Steps(selection.range(), stepMillis);
    }
  }
}
