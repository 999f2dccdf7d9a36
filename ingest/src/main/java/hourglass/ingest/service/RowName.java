package hourglass.ingest.service;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TypeHour;
import hourglass.store.Columns;
import hourglass.store.Mutation;
import java.util.List;

/**
 * Names a row of a write, or columns whose rows are planned later. It is comparable, so that a map
 * stays fast when types are chosen for equal hashes.
 */
record RowName(TypeHour typeHour, int shard) implements Comparable<RowName> {
  @Override
  public int compareTo(RowName other) {
    int byTypeHour = typeHour.compareTo(other.typeHour);
    return byTypeHour != 0 ? byTypeHour : Integer.compare(shard, other.shard);
  }

  void add(Columns columns, List<Mutation> mutations, List<PendingWrite.Batch> pending) {
    if (shard == FixedShards.PLANNED) {
      pending.add(new PendingWrite.Batch(typeHour, columns));
    } else {
      mutations.add(new Mutation(typeHour.row(shard), columns));
    }
  }
}
