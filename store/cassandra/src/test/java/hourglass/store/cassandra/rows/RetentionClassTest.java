package hourglass.store.cassandra.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.Retention;
import hourglass.store.cassandra.CassandraOptions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetentionClassTest {
  @Test
  void unlimitedRetentionIsTheClassKeep() {
    CassandraOptions options =
        CassandraOptions.builder()
            .retention(Retention.of(Duration.ofDays(30), Map.of("user", Retention.FOREVER)))
            .build();
    assertThat(RetentionClass.of(options.retention().forType("user")))
        .isEqualTo(RetentionClass.KEEP);
    assertThat(RetentionClass.of(options.retention().forType("other")).name())
        .isEqualTo("packs_30d");
  }

  @Test
  void theLongestRetentionFitsATtl() {
    assertThat(RetentionClass.of(CassandraOptions.RETENTION_MAX).seconds()).isEqualTo(315_360_000);
    assertThatThrownBy(
            () ->
                CassandraOptions.builder()
                    .retention(Retention.of(CassandraOptions.RETENTION_MAX.plusHours(1), Map.of()))
                    .build())
        .hasMessageContaining("10 years");
  }
}
