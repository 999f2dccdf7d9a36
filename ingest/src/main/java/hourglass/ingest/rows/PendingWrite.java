package hourglass.ingest.rows;

import hourglass.store.Mutation;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one write.
 *
 * @param mutations columns with known rows
 * @param pending columns that still need rows
 * @param untimed events without a time of their own
 */
public record PendingWrite(
    List<Mutation> mutations, List<PendingBatch> pending, int events, int untimed) {
  public static final PendingWrite EMPTY = new PendingWrite(List.of(), List.of(), 0, 0);

  public boolean isEmpty() {
    return events == 0;
  }

  /** All mutations, once every column has a row. */
  public List<Mutation> placed() {
    List<Mutation> placed = new ArrayList<>(mutations);
    pending.forEach(batch -> batch.addTo(placed));
    return placed;
  }
}
