package hourglass.ingest.rows;

import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one write.
 *
 * @param mutations those whose rows are known
 * @param unplaced those that still need rows
 * @param events how many there are
 * @param untimed how many of them have no time of their own
 */
public record PendingWrite(
    List<Mutation> mutations, List<PendingBatch> unplaced, int events, int untimed) {
  public static final PendingWrite EMPTY = new PendingWrite(List.of(), List.of(), 0, 0);

  public boolean isEmpty() {
    return events == 0;
  }

  /** All mutations, once every column has a row. */
  public List<Mutation> placed() {
    List<Mutation> placed = new ArrayList<>(mutations);
    unplaced.forEach(columns -> columns.addTo(placed));
    return placed;
  }
}
