package hourglass.bucketing.shards;

import hourglass.bucketing.RowKey;
import java.util.List;

/** Knows the nodes that keep rows. Thread-safe, and answered from memory. */
@FunctionalInterface
public interface Placement {
  Placement ONE_PLACE = row -> List.of();

  /** Returns the nodes that keep the row; empty if unknown. */
  List<String> nodes(RowKey row);
}
