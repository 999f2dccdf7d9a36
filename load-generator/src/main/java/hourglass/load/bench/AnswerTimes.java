package hourglass.load.bench;

import io.vertx.core.json.JsonObject;

/**
 * How long the answers to a query took, from the request to the last byte.
 *
 * @param firstMillis the first answer, for which little is compiled or read yet
 * @param laterMillis the median of the next three
 * @param sortedMillis the last answers, once the server has answered the query often
 * @param events how many each answer contains or counts
 * @param bytes the length of each answer
 */
@SuppressWarnings("ArrayRecordComponent") // never compared whole
record AnswerTimes(
    BenchQuery query,
    double firstMillis,
    double laterMillis,
    double[] sortedMillis,
    long events,
    long bytes) {
  double medianMillis() {
    return median(sortedMillis);
  }

  double bestMillis() {
    return sortedMillis[0];
  }

  double worstMillis() {
    return sortedMillis[sortedMillis.length - 1];
  }

  static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  JsonObject figures() {
    return new JsonObject()
        .put("name", query.name())
        .put("path", query.path())
        .put("events", events)
        .put("bytes", bytes)
        .put("first_ms", firstMillis)
        .put("later_ms", laterMillis)
        .put("median_ms", medianMillis())
        .put("best_ms", bestMillis())
        .put("worst_ms", worstMillis());
  }
}
