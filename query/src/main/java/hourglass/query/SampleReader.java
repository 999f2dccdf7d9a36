package hourglass.query;

import hourglass.store.Columns;
import hourglass.store.FieldValues;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes samples of events: each has a group, by equality, and a number. Immutable.
 *
 * @param <G> the groups
 */
public interface SampleReader<G> {

  /**
   * The fields from the root of the payload that samples are made of; null if that takes payloads.
   */
  @Nullable List<String> fields();

  /** Begins with events of a type. */
  OfType<G> of(String type);

  /** The approximate memory of a group. */
  long bytes(G group);

  /** Used by one thread at a time. */
  interface OfType<G> {
    /** Of entry {@code i} of values of the fields; null if the event gives none. */
    @Nullable Sample<G> read(FieldValues values, int i);

    /** Of column {@code i} of a row; null if the event gives none. */
    @Nullable Sample<G> read(Columns columns, int i);
  }

  /** A number of an event. */
  record Sample<G>(G group, double number) {}

  /**
   * A question for samples in steps.
   *
   * @param stepMillis the length of a step
   * @param figure what is kept of the numbers of a group in a step
   */
  record Query<G>(
      Selection selection, long stepMillis, SampleReader<G> reader, Samples.Figure figure) {

    public Steps steps() {
      return new Steps(selection.range(), stepMillis);
    }
  }
}
