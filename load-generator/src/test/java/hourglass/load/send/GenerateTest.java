package hourglass.load.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GenerateTest {
  private static final Instant FROM = Instant.parse("2026-11-20T08:00:00Z");

  private static GeneratedSource source(
      int payloadBytes, double late, double outOfOrder, long seed) {
    EventShape shape = new EventShape(6, 1.0, payloadBytes);
    return new GeneratedSource(
        20_000, 700, shape, FROM, Duration.ofHours(1), late, outOfOrder, seed);
  }

  private static List<String> lines(BatchSource source) throws IOException {
    List<String> lines = new ArrayList<>();
    source.forEach(
        batch -> {
          List<String> of = batch.lines().toString(StandardCharsets.UTF_8).lines().toList();
          assertThat(of).hasSize(batch.events());
          assertThat(batch.firstEvent()).isEqualTo(lines.size());
          lines.addAll(of);
          return true;
        });
    return lines;
  }

  private static List<Instant> times(GeneratedSource source) throws IOException {
    return lines(source).stream()
        .map(line -> Instant.parse(new JsonObject(line).getString("time")))
        .toList();
  }

  @Test
  void theSameSeedGivesTheSameBytes() throws IOException {
    List<String> first = lines(source(0, 0.1, 0.1, 7));
    assertThat(first).hasSize(20_000).isEqualTo(lines(source(0, 0.1, 0.1, 7)));
    assertThat(first).isNotEqualTo(lines(source(0, 0.1, 0.1, 8)));
  }

  @Test
  void eventsAreGeneratedAsDocumented() throws IOException {
    List<String> lines = lines(source(0, 0, 0, 1));
    Map<String, Integer> types = new HashMap<>();
    for (String line : lines) {
      JsonObject json = new JsonObject(line);
      assertThat(json.fieldNames())
          .containsExactly("type", "time", "level", "host", "path", "status", "ms", "trace");
      types.merge(json.getString("type"), 1, Integer::sum);
    }
    double mean = lines.stream().mapToInt(String::length).average().orElseThrow();
    assertThat(mean).isCloseTo(170, within(5.0));
    // Zipf with exponent 1 over six: 1 / (1 + 1/2 + ... + 1/6) = 0.408, the second half of it.
    assertThat(types.get("page_view") / 20_000.0).isCloseTo(0.408, within(0.02));
    assertThat(types.get("search") / 20_000.0).isCloseTo(0.204, within(0.02));
    assertThat(types).hasSize(6);
  }

  @Test
  void fillsTheHourInOrder() throws IOException {
    List<Instant> times = times(source(0, 0, 0, 1));
    assertThat(times).isSorted();
    assertThat(times.get(0)).isBetween(FROM, FROM.plusMillis(180));
    assertThat(times.get(times.size() - 1))
        .isBefore(FROM.plusSeconds(3600))
        .isAfter(FROM.plusSeconds(3599));
  }

  @Test
  void keepsTheSharesOfLateAndDisorder() throws IOException {
    List<Instant> late = times(source(0, 0.1, 0, 1));
    long early = late.stream().filter(time -> time.isBefore(FROM)).count();
    // An event goes one to three hours back, so each of them ends before the hour begins.
    assertThat(early / 20_000.0).isCloseTo(0.1, within(0.01));
    List<Instant> mixed = times(source(0, 0, 0.2, 1));
    long behind = 0;
    for (int i = 1; i < mixed.size(); i++) {
      behind += mixed.get(i).isBefore(mixed.get(i - 1)) ? 1 : 0;
    }
    assertThat(behind / 20_000.0).isBetween(0.1, 0.2);
    assertThat(mixed).allMatch(time -> !time.isBefore(FROM));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 128, 170, 200, 1000, 20_000})
  void eventsHaveTheGivenSize(int payloadBytes) throws IOException {
    EventShape shape = new EventShape(3, 0, payloadBytes);
    GeneratedSource source =
        new GeneratedSource(300, 100, shape, FROM, Duration.ofHours(1), 0, 0, 1);
    for (String line : lines(source)) {
      assertThat(new JsonObject(line).getString("type")).isNotEmpty();
      assertThat(line.length()).isBetween(payloadBytes - 30, payloadBytes);
    }
  }
}
