package hourglass.bucketing.shards;

import hourglass.bucketing.RowKey;
import java.util.List;

/** Where rows live or would live. Thread-safe, and answered from memory. */
@FunctionalInterface
public interface Placement {
  /** One place for all: nothing to choose from. */
  Placement ONE_PLACE = row -> List.of();

  /** The nodes that keep a row, or none where nobody knows. */
  List<String> nodes(RowKey row);
}
