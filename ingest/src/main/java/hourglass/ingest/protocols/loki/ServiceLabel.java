package hourglass.ingest.protocols.loki;

import hourglass.bucketing.EventType;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the label of a stream that is the type of its events: the one of which Loki would make
 * its {@code service_name}. A value that is no type is passed over. Not thread-safe.
 */
final class ServiceLabel {
  /** The names of labels, the best first. Source: limits_config.discover_service_name of Loki 3. */
  private static final List<String> NAMES =
      List.of(
          "service_name",
          "service",
          "app",
          "application",
          "app_name",
          "name",
          "app_kubernetes_io_name",
          "container",
          "container_name",
          "k8s_container_name",
          "component",
          "workload",
          "job",
          "k8s_job_name");

  private static final Map<String, Integer> RANKS =
      IntStream.range(0, NAMES.size()).boxed().collect(Collectors.toMap(NAMES::get, i -> i));

  private int rank = NAMES.size();
  private @Nullable String type;

  void offer(String name, Supplier<String> value) {
    int offered = RANKS.getOrDefault(name, NAMES.size());
    if (offered < rank) {
      String text = value.get();
      if (EventType.isValid(text)) {
        rank = offered;
        type = text;
      }
    }
  }

  /** Returns the type; null if no label gives one. */
  @Nullable String type() {
    return type;
  }
}
