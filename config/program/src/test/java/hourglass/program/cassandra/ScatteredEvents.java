package hourglass.program.cassandra;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.sandbox.CassandraCluster;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Events of two hours, several types and two rows a type, chosen by where a cluster without copies
 * puts them. Without one of its nodes the directories of both hours can be read, and so can all
 * rows of the earlier hour; of the later one, types have lost none, one or both of their rows.
 *
 * @param away the node; it is not needed to know which hours there are
 * @param whole the earlier hour
 * @param torn the later one
 * @param unknown an hour, later still, whose directory cannot be read without the node
 * @param wholeTypes the types of the earlier hour
 * @param tornTypes those of the later one
 */
record ScatteredEvents(
    NodePartitions away,
    Hour whole,
    Hour torn,
    Hour unknown,
    List<String> wholeTypes,
    List<String> tornTypes) {
  /** The setting that the events are chosen for. */
  static final String SETTING = "bucketing.shards=2";

  private static final int SHARDS = 2;
  private static final FixedShards POLICY = new FixedShards(SHARDS, Map.of());

  private static final Hour FROM = Hour.parse("2026-01-01T00");

  /** Half a year: one hour in 26 will do. */
  private static final int HOURS = 4_400;

  /** Rows that types of the later hour have lost: there is one of each kind. */
  private static final Set<Long> TORN = Set.of(0L, 1L, (long) SHARDS);

  private static final int WHOLE_TYPES = 3;
  private static final int TORN_TYPES_LEAST = 6;

  /**
   * Events of each type and hour: more than a stream holds back, so that one has begun when the
   * later hour fails.
   */
  static final int EVENTS_AN_HOUR = 3_000;

  private static final int EVENTS_AT_ONCE = 5;
  private static final int STEP_MILLIS = 6_000;
  private static final String TEXT = "some words that fill an event ".repeat(5);

  /** Chooses types in a cluster whose keyspace exists. */
  static ScatteredEvents choose(CassandraCluster cluster, Random random) {
    List<NodePartitions> nodes = NodePartitions.of(cluster);
    int node = random.nextInt(nodes.size());
    NodePartitions away =
        nodes.get(nodes.get(node).hasYear(FROM) ? (node + 1) % nodes.size() : node);
    Hour whole = hour(new Hour(FROM.epochHours() + random.nextInt(HOURS)), away, false);
    Hour torn = hour(whole.next(), away, false);
    Hour unknown = hour(torn.next(), away, true);
    return new ScatteredEvents(
        away, whole, torn, unknown, wholeTypes(away, whole), tornTypes(away, torn));
  }

  /** The first hour from one on whose directory needs the node, or does not. */
  private static Hour hour(Hour from, NodePartitions away, boolean needsIt) {
    return Stream.iterate(from, Hour::next)
        .limit(HOURS)
        .filter(hour -> away.hasDirectory(hour) == needsIt)
        .findFirst()
        .orElseThrow();
  }

  private static List<String> wholeTypes(NodePartitions away, Hour hour) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "type" + i)
        .filter(type -> rowsAway(away, hour, type) == 0)
        .limit(WHOLE_TYPES)
        .toList();
  }

  private static List<String> tornTypes(NodePartitions away, Hour hour) {
    List<String> types = new ArrayList<>();
    Set<Long> rowsAway = new HashSet<>();
    for (int i = 0; types.size() < TORN_TYPES_LEAST || !rowsAway.containsAll(TORN); i++) {
      String type = "type" + i;
      types.add(type);
      rowsAway.add(rowsAway(away, hour, type));
    }
    return types;
  }

  private static long rowsAway(NodePartitions away, Hour hour, String type) {
    return rows(hour, List.of(type)).filter(away::has).count();
  }

  private static Stream<RowKey> rows(Hour hour, List<String> types) {
    return types.stream()
        .flatMap(
            type -> IntStream.range(0, SHARDS).mapToObj(shard -> new RowKey(hour, type, shard)));
  }

  /** How many rows an hour has. */
  int rows(Hour hour) {
    return SHARDS * (hour.equals(torn) ? tornTypes : wholeTypes).size();
  }

  /** The rows that cannot be read without the node, sorted. */
  List<String> missing() {
    TreeSet<RowKey> missing = new TreeSet<>();
    rows(torn, tornTypes).filter(away::has).forEach(missing::add);
    return missing.stream().map(RowKey::toString).toList();
  }

  /** A type of the later hour all of whose rows can be read without the node. */
  String readableType() {
    return tornTypes.stream()
        .filter(type -> rowsAway(away, torn, type) == 0)
        .findFirst()
        .orElseThrow();
  }

  /** Whether an event, as answers show it, is of the earlier hour. */
  boolean isOfWhole(JsonObject event) {
    return whole.contains(TimeUuid.parse(event.getString("id")).ticks());
  }

  /** Whether the node has an event, as answers show it. */
  boolean isAway(JsonObject event) {
    TimeUuid id = TimeUuid.parse(event.getString("id"));
    String type = event.getString("type");
    int shard = POLICY.shard(id.hour(), type, id.ticks(), id.lsb());
    return away.has(new RowKey(id.hour(), type, shard));
  }

  /** The events of both hours as they are pushed, in order of time; several have the same. */
  List<String> payloads() {
    return Stream.concat(payloads(whole, wholeTypes), payloads(torn, tornTypes)).toList();
  }

  private static Stream<String> payloads(Hour hour, List<String> types) {
    long startMillis = hour.start().toEpochMilli();
    return IntStream.range(0, EVENTS_AN_HOUR)
        .mapToObj(
            i ->
                "{\"n\":%d,\"type\":\"%s\",\"time\":%d,\"text\":\"%s\"}"
                    .formatted(
                        i,
                        types.get(i % types.size()),
                        startMillis + (long) (i / EVENTS_AT_ONCE) * STEP_MILLIS,
                        TEXT));
  }

  /** One event of the hour whose directory cannot be read. */
  String unknownPayload() {
    return "{\"type\":\"type0\",\"time\":%d}".formatted(unknown.start().toEpochMilli());
  }
}
