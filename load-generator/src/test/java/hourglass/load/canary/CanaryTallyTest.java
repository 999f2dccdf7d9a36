package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.command.ProgressLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CanaryTallyTest {
  private final StringWriter out = new StringWriter();
  private long nowNanos;
  private final CanaryTally tally =
      new CanaryTally(ProgressLine.on(new PrintWriter(out)), () -> nowNanos);

  private long said(String kind) {
    return out.toString().lines().filter(line -> line.contains("canary: " + kind)).count();
  }

  private void addMany(String kind, String text) {
    for (int i = 0; i < 10; i++) {
      tally.log.add(kind, text + i);
    }
  }

  @Test
  void logsAFewTextsOfAKindEachHour() {
    addMany("lost", "first ");
    addMany("altered", "other ");
    assertThat(said("lost")).isEqualTo(3);
    assertThat(said("altered")).isEqualTo(3);
    nowNanos += Duration.ofMinutes(59).toNanos();
    addMany("lost", "early ");
    assertThat(said("lost")).isEqualTo(3);
    nowNanos += Duration.ofMinutes(1).toNanos();
    addMany("lost", "later ");
    assertThat(said("lost")).isEqualTo(6);
    assertThat(out.toString()).contains("lost: later 0").doesNotContain("early");
    assertThat(tally.log.firstTexts().get("lost")).containsExactly("first 0", "first 1", "first 2");
  }
}
