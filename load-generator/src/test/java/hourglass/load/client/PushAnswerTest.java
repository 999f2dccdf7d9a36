package hourglass.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PushAnswerTest {
  private static PushAnswer.Verdict read(String body) {
    return PushAnswer.Verdict.read(body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theIndexesOfEachReasonAreRead() {
    PushAnswer.Verdict verdict =
        read(
            "{\"accepted\":7,\"rejected\":4,\"errors\":["
                + "{\"index\":2,\"reason\":\"a\",\"count\":3,\"indexes\":[2,5,9]},"
                + "{\"index\":3,\"reason\":\"b\",\"count\":1,\"indexes\":[3]}]}");
    assertThat(verdict.rejectedIndexes()).containsExactly(2, 3, 5, 9);
    assertThat(verdict.rejected()).isEqualTo(4);
    assertThat(verdict.reason()).isEqualTo("a");
  }

  @Test
  void otherAnswersHaveNoVerdict() {
    assertThat(read("{\"status\":503}")).isNull();
    assertThat(read("nope")).isNull();
  }
}
