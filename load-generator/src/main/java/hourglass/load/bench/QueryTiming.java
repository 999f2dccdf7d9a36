package hourglass.load.bench;

import hourglass.load.client.TargetClient;
import hourglass.load.command.LoadFailure;
import hourglass.load.command.Nanos;
import java.util.Arrays;

/**
 * How long a query took, from the request to the last byte of its answer.
 *
 * @param bytes of one answer
 */
@SuppressWarnings("ArrayRecordComponent") // never compared whole
record QueryTiming(BenchQuery query, double[] sortedMillis, long bytes) {
  /** Asks {@code repeats} times, after one that is only checked. */
  static QueryTiming of(TargetClient client, BenchQuery query, int repeats, Nanos nanos) {
    query.check(client);
    double[] millis = new double[repeats];
    long[] bytes = new long[repeats];
    for (int i = 0; i < repeats; i++) {
      int repeat = i;
      long start = nanos.now();
      client.stream(query.path(), part -> bytes[repeat] += part.length());
      millis[i] = (nanos.now() - start) / 1e6;
      if (bytes[i] != bytes[0]) {
        throw new LoadFailure(
            "%s: %,d bytes after %,d before: %s"
                .formatted(query.name(), bytes[i], bytes[0], query.path()));
      }
    }
    Arrays.sort(millis);
    return new QueryTiming(query, millis, bytes[0]);
  }

  double medianMillis() {
    int middle = sortedMillis.length / 2;
    return sortedMillis.length % 2 == 1
        ? sortedMillis[middle]
        : (sortedMillis[middle - 1] + sortedMillis[middle]) / 2;
  }

  double bestMillis() {
    return sortedMillis[0];
  }

  double worstMillis() {
    return sortedMillis[sortedMillis.length - 1];
  }
}
