package hourglass.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.MultiMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CloudEventHeadersTest {
  @Test
  void attributesAreDecoded() {
    MultiMap headers =
        MultiMap.caseInsensitiveMultiMap()
            .add("ce-id", "a%20b%E2%82%AC")
            .add("CE-Source", "\"/q\\\"x\"")
            .add("ce-subject", "100%")
            .add("ce-list", "1")
            .add("ce-list", "2")
            .add("host", "here");
    assertThat(PushHeaders.of(headers).decodedAttributes())
        .containsExactly(
            Map.entry("id", "a b€"),
            Map.entry("source", "/q\"x"),
            Map.entry("subject", "100%"),
            Map.entry("list", "1,2"));
  }

  @Test
  void attributeMustBeText() {
    PushHeaders headers = PushHeaders.of(MultiMap.caseInsensitiveMultiMap().add("ce-id", "%FF"));
    assertThatThrownBy(headers::decodedAttributes).hasMessage("ce-id: not UTF-8, percent-encoded");
  }
}
