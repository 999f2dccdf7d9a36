package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetentionClassTest {
  /** A type may be kept for ever although others are not. */
  @Test
  void keepIsOneClassHoweverItIsSaid() {
    CassandraOptions options =
        CassandraOptions.builder()
            .retentionDefault(Duration.ofDays(30))
            .retentionByType(Map.of("user", CassandraOptions.KEEP))
            .build();
    assertThat(RetentionClass.of(options.retention("user"))).isEqualTo(RetentionClass.KEEP);
    assertThat(RetentionClass.of(null)).isEqualTo(RetentionClass.KEEP);
    assertThat(RetentionClass.of(options.retention("other")).table()).isEqualTo("events_30d");
  }

  @Test
  void theLongestThatEndsFitsATtl() {
    assertThat(RetentionClass.of(CassandraOptions.RETENTION_MAX).seconds()).isEqualTo(315_360_000);
    assertThatThrownBy(
            () ->
                CassandraOptions.builder()
                    .retentionDefault(CassandraOptions.RETENTION_MAX.plusHours(1))
                    .build())
        .hasMessageContaining("10 years");
  }
}
