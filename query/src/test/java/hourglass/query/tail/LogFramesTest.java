package hourglass.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.query.Gaps;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.query.loki.LogFilter;
import hourglass.store.DroppedHours;
import hourglass.store.LateArrivalPlace;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogFramesTest {
  private static final TailPosition AT =
      TailPosition.before(Ticks.UNIX_EPOCH + 12, LateArrivalPlace.START);

  private static LogFrames frames(boolean beginsWhole) {
    LogFilter all = LogFilter.of(LogQl.parseSelector("{app=~\".+\"}"), StreamLabels.STANDARD);
    return new LogFrames(all, beginsWhole);
  }

  @Test
  void omittedLinesAreReported() {
    LogFrames frames = frames(true);
    assertThat(
            List.of(
                frames.missed(AT, AT, "link"),
                frames.gap(AT),
                frames.gap(AT, new Gaps(List.of("x"), DroppedHours.NONE))))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .containsOnly(
            "{\"streams\":[],\"dropped_entries\":[{\"labels\":{},\"timestamp\":\"1200\"}]}\n");
    assertThat(frames.greeting(AT)).isEmpty();
    assertThat(frames(false).greeting(AT)).isEqualTo(frames.gap(AT));
  }
}
