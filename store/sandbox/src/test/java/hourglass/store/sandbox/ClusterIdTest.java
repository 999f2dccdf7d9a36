package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterIdTest {
  @Test
  void idsNeverLookLikeAnOption() {
    assertThat(Stream.generate(KafkaBroker::clusterId).limit(5_000))
        .allMatch(id -> id.length() == 22 && !id.startsWith("-"));
  }
}
