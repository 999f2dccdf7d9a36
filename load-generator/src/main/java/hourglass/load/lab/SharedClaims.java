package hourglass.load.lab;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ShardClaim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The claims of all writers in memory, a partition for each type hour. */
final class SharedClaims {
  private record Key(int shard, String writer) {}

  private static final class Partition {
    final Map<Key, Integer> places = new HashMap<>();
    final List<ShardClaim> claims = new ArrayList<>();

    void put(ShardClaim claim) {
      Integer place = places.putIfAbsent(new Key(claim.shard(), claim.writer()), claims.size());
      if (place == null) {
        claims.add(claim);
      } else {
        claims.set(place, claim);
      }
    }
  }

  private final Map<TypeHour, Partition> partitions = new HashMap<>();

  void publish(ClaimRequest request) {
    Partition partition = partitions.computeIfAbsent(request.typeHour(), added -> new Partition());
    request.claims().forEach(partition::put);
  }

  List<ShardClaim> of(TypeHour typeHour) {
    Partition partition = partitions.get(typeHour);
    return partition == null ? List.of() : List.copyOf(partition.claims);
  }

  long largest() {
    return partitions.values().stream().mapToLong(each -> each.claims.size()).max().orElse(0);
  }
}
