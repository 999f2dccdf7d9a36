package hourglass.load.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Ticks;
import hourglass.load.command.LoadFailure;
import hourglass.load.event.Mapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordedTrafficTest {
  private static final String LINES =
      """
      {"type":"login","time":"2026-11-20T08:00:00Z","id":"a"}
      {"type":"buy","time":"2026-11-20T08:00:00.5Z"}

      {"type":"login","time":"2026-11-20T07:59:00Z"}
      {"time":"2026-11-20T08:00:01Z"}
      not json
      {"type":"login","time":"never"}
      {"type":"login","time":"2026-11-20T08:00:00Z","id":"a"}
      {"type":"buy","time":"2026-11-20T08:00:02Z"}
      """;

  @TempDir Path folder;

  @Test
  void keepsThePaceOfTheRecording() throws IOException {
    RecordedTraffic.Recording read = read(LINES, 0);
    Schedule schedule = read.schedule();
    assertThat(read.skipped()).isEqualTo(3);
    assertThat(schedule.types()).containsExactly("login", "buy");
    long[] dueMillis = {0, 500, 500, 500, 2_000};
    String[] types = {"login", "buy", "login", "login", "buy"};
    int[] originals = {0, 1, 2, 0, 4};
    assertThat(schedule.size()).isEqualTo(5);
    for (int i = 0; i < 5; i++) {
      assertThat(schedule.dueNanos(i)).isEqualTo(dueMillis[i] * 1_000_000);
      assertThat(schedule.type(i)).isEqualTo(types[i]);
      assertThat(schedule.original(i)).isEqualTo(originals[i]);
    }
    assertThat(schedule.ticks(2)).isEqualTo(Ticks.of(Instant.parse("2026-11-20T07:59:00Z")));
    assertThat(schedule.bytes(1)).isEqualTo(46);
  }

  @Test
  void payloadSizeAsAsked() throws IOException {
    Schedule schedule = read(LINES, 10).schedule();
    for (int i = 0; i < 5; i++) {
      assertThat(schedule.dueNanos(i)).isEqualTo(i * 100_000_000L);
    }
  }

  @Test
  void refusesAFileWithoutEvents() {
    assertThatThrownBy(() -> read("[1]\n{}\n", 0))
        .isInstanceOf(LoadFailure.class)
        .hasMessageContaining("none of its 2 lines is an event");
  }

  private RecordedTraffic.Recording read(String lines, double rate) throws IOException {
    Path file = Files.writeString(folder.resolve("events.ndjson"), lines);
    return RecordedTraffic.read(file, Mapping.DEFAULT, rate);
  }
}
