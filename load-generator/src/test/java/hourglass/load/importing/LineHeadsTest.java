package hourglass.load.importing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LineHeadsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // first line | another | whether it may begin a batch
        "2026-11-20T08:30:00Z ERROR | 2026-11-20T08:30:01Z INFO | true",
        "2026-11-20T08:30:00Z ERROR | java.io.IOException: closed | false",
        "2026-11-20T08:30:00Z ERROR | '  at shop.Cart.pay' | false",
        "[main] INFO                | [pool-1] INFO | true",
        "[main] INFO                | Caused by: x | false",
        "level=info ts=1            | time=2 level=warn | true",
      })
  void onlyLinesLikeTheFirstMayBeginABatch(String first, String other, boolean mayBegin) {
    LineHeads heads = new LineHeads();
    assertThat(heads.isLikeFirst("\tat a rotated file".getBytes(StandardCharsets.UTF_8), 0))
        .isFalse();
    assertThat(heads.isLikeFirst(first.getBytes(StandardCharsets.UTF_8), 0)).isTrue();
    assertThat(heads.isLikeFirst(other.getBytes(StandardCharsets.UTF_8), 0)).isEqualTo(mayBegin);
  }
}
