package hourglass.bucketing.shards;

import hourglass.bucketing.RowKey;
import java.util.List;

/** The nodes that keep rows. Thread-safe, and answered from memory. */
@FunctionalInterface
public interface Placement {
  /** One place for all rows. */
  Placement ONE_PLACE = row -> List.of();

  /** The nodes that keep a row, or none if unknown. */
  List<String> nodes(RowKey row);
}
