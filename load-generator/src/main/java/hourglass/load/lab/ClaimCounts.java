package hourglass.load.lab;

import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ShardClaim;
import java.util.BitSet;
import java.util.List;

/** Counts the requests for claims of a simulation, and the rows that they claim or lose. */
final class ClaimCounts {
  long requests;
  long read;
  long rowsAsked;
  private long rowsLost;

  /** Adds a request, and the claims of all writers in its answer. */
  void add(ClaimRequest request, List<ShardClaim> all) {
    requests++;
    read += all.size();
    countRows(request, all);
  }

  /** Returns the share of the rows that other writers had claimed. */
  double lostShare() {
    return (double) rowsLost / Math.max(1, rowsAsked);
  }

  /**
   * Counts the rows that a request claimed for its writer alone, and those of them that other
   * writers had claimed.
   */
  private void countRows(ClaimRequest request, List<ShardClaim> all) {
    BitSet asked = new BitSet();
    String writer = "";
    for (ShardClaim claim : request.claims()) {
      writer = claim.writer();
      asked.set(claim.shard(), claim.sole() && claim.columns() > 0);
    }
    BitSet lost = new BitSet();
    for (ShardClaim claim : all) {
      if (claim.columns() > 0 && asked.get(claim.shard()) && !claim.writer().equals(writer)) {
        lost.set(claim.shard());
      }
    }
    rowsAsked += asked.cardinality();
    rowsLost += lost.cardinality();
  }
}
