package hourglass.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimelineTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void keepsEachSecondOfShortRuns() {
    Timeline timeline = new Timeline(7 * SECOND);
    timeline.add(7 * SECOND, 10, 2_000);
    timeline.add(8 * SECOND - 1, 5, 1_500);
    timeline.add(9 * SECOND, 1, 500);
    assertThat(timeline.figures())
        .isEqualTo(
            new JsonObject()
                .put("interval_seconds", 1)
                .put("events_by_interval", List.of(15L, 0L, 1L))
                .put("latency_max_ms_by_interval", List.of(2.0, 0.0, 0.5)));
  }

  @Test
  void longRunsHaveLongerIntervals() {
    Timeline timeline = new Timeline(0);
    for (int second = 0; second < 5_000; second++) {
      timeline.add(second * SECOND, 1, second * 1_000L);
    }
    JsonObject figures = timeline.figures();
    assertThat(figures.getInteger("interval_seconds")).isEqualTo(16);
    List<Object> events = copy(figures, "events_by_interval");
    List<Object> latencies = copy(figures, "latency_max_ms_by_interval");
    assertThat(events).hasSize(313).startsWith(16L, 16L).endsWith(8L);
    assertThat(latencies).hasSize(313).startsWith(15.0, 31.0).endsWith(4_999.0);
  }

  private static List<Object> copy(JsonObject figures, String name) {
    return figures.getJsonArray(name).stream().toList();
  }
}
