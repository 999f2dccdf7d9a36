package hourglass.config.gate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditEventTest {
  private static final Instant TIME = Instant.parse("2026-11-25T21:57:08.123Z");

  @Test
  void anEventIsWrittenAsOneLine() {
    AuditEvent event =
        AuditEvent.of("refused")
            .with("key", null)
            .with("address", "10.0.0.1")
            .with("path", "/a\nb\"")
            .with("types", List.of())
            .with("hours", List.of("2026-11-25T21"))
            .with("count", 3);
    assertThat(event.line(TIME))
        .isEqualTo(
            "{\"time\":\"2026-11-25T21:57:08.123Z\",\"event\":\"refused\",\"address\":\"10.0.0.1\","
                + "\"path\":\"/a\\nb\\\"\",\"hours\":[\"2026-11-25T21\"],\"count\":3}\n");
  }

  @Test
  void longValuesAreTruncated() {
    assertThat(AuditEvent.of("e").with("path", "/".repeat(10_000)).line(TIME)).hasSizeLessThan(400);
    List<String> many = Collections.nCopies(10_000, "type");
    assertThat(AuditEvent.of("e").with("types", many).line(TIME)).hasSizeLessThan(400);
  }

  @Test
  void hidesTextsThatLookLikeSecrets() {
    String secret = "hg_" + "aB3_-".repeat(8) + "xyz";
    AuditEvent event =
        AuditEvent.of("e").with("path", "/" + secret + "/x").with("types", List.of(secret));
    assertThat(event.line(TIME)).doesNotContain("aB3_-").contains("/hg_***/x", "[\"hg_***\"]");
  }
}
