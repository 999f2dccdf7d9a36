package hourglass.store.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import hourglass.bucketing.RowKey;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A row as the node stores it. */
record StoredRow(String keyspace, RowKey row) {

  /** The keys of its packs. */
  Set<String> packs() {
    return packs("keep");
  }

  Set<String> packs(String retention) {
    return rows("SELECT id, digest FROM %s.packs_" + retention).stream()
        .map(pack -> pack.getUuid(0) + " " + pack.getLong(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The numbers of the seals that have pages. */
  List<Long> seals() {
    return seals("keep");
  }

  List<Long> seals(String retention) {
    return rows("SELECT seal FROM %s.pages_" + retention).stream()
        .map(page -> page.getLong(0))
        .distinct()
        .toList();
  }

  List<Row> rows(String select) {
    return OneNode.session()
        .execute(select.formatted(keyspace) + " WHERE row = ?", row.toString())
        .all();
  }
}
