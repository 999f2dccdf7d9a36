package hourglass.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import io.vertx.core.json.jackson.JacksonCodec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StreamedJsonTest {
  @Test
  void vertxWritesJsonByTheStream() {
    assertThat(Json.CODEC).isExactlyInstanceOf(JacksonCodec.class);
    JsonObject json = new JsonObject().put("a", List.of(1, 2.5, "x")).put("b", Map.of("c", true));
    assertThat(json.encode()).isEqualTo("{\"a\":[1,2.5,\"x\"],\"b\":{\"c\":true}}");
    assertThat(new JsonObject(json.encode())).isEqualTo(json);
  }
}
