package hourglass.bucketing.shards;

import hourglass.bucketing.RowKey;
import java.util.List;

/** The nodes that keep rows. Thread-safe, and answered from memory. */
@FunctionalInterface
public interface Placement {
  Placement ONE_PLACE = row -> List.of();

  /** Empty if unknown. */
  List<String> nodes(RowKey row);
}
