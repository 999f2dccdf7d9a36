package hourglass.load.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.load.command.LoadFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlanFileTest {
  @TempDir Path folder;

  @Test
  void readsPhases() throws IOException {
    TrafficPlan plan =
        read(
            """
            {
              "start_second": 3570,
              "phases": [
                // comments are welcome
                {"name": "calm", "seconds": 60, "rate": 2000, "types": 20, "skew": 1.0},
                # of both kinds
                {"seconds": 30, "rate": 2e4, "hot_share": 0.9, "late_share": 0.1, "late_seconds": 7200,
                 "repeat_share": 0.2, "repeat_seconds": 5, "payload_bytes": 300, "lag_seconds": 1}
              ]
            }
            """);
    assertThat(plan.startSecond()).isEqualTo(3570);
    assertThat(plan.phases()).extracting(Phase::name).containsExactly("calm", "phase 2");
    assertThat(plan.phases()).extracting(Phase::events).containsExactly(120_000L, 600_000L);
    assertThat(plan.phases().get(0).get(Phase.Field.PAYLOAD_BYTES)).isEqualTo(200);
    Phase rush = plan.phases().get(1);
    assertThat(rush.get(Phase.Field.HOT_SHARE)).isEqualTo(0.9);
    assertThat(rush.get(Phase.Field.REPEAT_SECONDS)).isEqualTo(5);
    assertThat(rush.values()).hasSize(9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\'',
      value = {
        // the second line of the file        ; what is said
        "\"phases\": [{\"seconds\": 1, \"rate\": -3}] ; :2: phases[0].rate: -3, want 0.001 to 10000000",
        "\"phases\": [{\"seconds\": 1, \"rate\": \"5\"}] ; :2: phases[0].rate: want a number",
        "\"phases\": [{\"seconds\": 1}]          ; :2: phases[0].rate: missing",
        "\"phases\": [{\"seconds\": 1, \"rate\": 5, \"skwe\": 1}] ; :2: phases[0].skwe: unknown; known are name, seconds",
        "\"phases\": [{\"seconds\": 1, \"rate\": 5, \"types\": 1.5}] ; :2: phases[0].types: 1.5, want 1 to 100000",
        "\"phases\": [{\"seconds\": 1, \"rate\": 5, \"name\": 7}] ; :2: phases[0].name: want a text",
        "\"phases\": [{\"seconds\": 1, \"rate\": 5}, 7] ; :2: phases[1]: want an object",
        "\"phases\": 7                       ; :2: phases: want an array",
        "\"phases\": []                      ; phases: want at least one",
        "\"start_second\": 3600              ; :2: start_second: want 0 to 3600",
        "\"phase\": []                       ; :2: phase: unknown; known are start_second, phases",
        "\"phases\": [oops                   ; :2: Unrecognized token",
      })
  void namesFileLineAndField(String line, String message) {
    assertThatThrownBy(() -> read("{\n" + line + "\n}\n"))
        .isInstanceOf(LoadFailure.class)
        .hasMessageStartingWith(folder.resolve("own.json") + ":")
        .hasMessageContaining(message);
  }

  private TrafficPlan read(String text) throws IOException {
    return PlanFile.read(Files.writeString(folder.resolve("own.json"), text));
  }
}
