package hourglass.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlankedMembersTest {
  private static String blank(String payload, String... paths) {
    byte[] framed = ("}" + payload + "{").getBytes(UTF_8);
    return new String(
        new BlankedMembers(List.of(paths)).blank(framed, 1, framed.length - 1), UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1}                          | {\"a\":null}",
        "{\"a\":\"x\",\"b\":2}              | {\"a\":null,\"b\":2}",
        "{ \"b\" : 2 , \"a\" : [1, {}] }    | { \"b\" : 2 , \"a\" : null }",
        "{\"a\":{\"b\":{\"a\":1}}}          | {\"a\":null}",
        "{\"a\":1,\"a\":\"2\",\"A\":3}      | {\"a\":null,\"a\":null,\"A\":3}",
        "{\"\\u0061\":1}                    | {\"\\u0061\":null}",
        "{\"b\":[{\"a\":1}]}                | {\"b\":[{\"a\":1}]}",
        "{\"b\":\"\\\"a\\\":1\"}            | {\"b\":\"\\\"a\\\":1\"}",
        "{}                                 | {}",
      })
  void theValueOfAMemberBecomesNull(String payload, String blanked) {
    assertThat(blank(payload, "a")).isEqualTo(blanked);
  }

  @Test
  void aPathLeadsIntoObjectsAndToNamesWithDots() {
    assertThat(blank("{\"a\":{\"b\":1,\"c\":2},\"a.b\":3,\"b\":4}", "a.b"))
        .isEqualTo("{\"a\":{\"b\":null,\"c\":2},\"a.b\":null,\"b\":4}");
    assertThat(
            blank(
                "{\"a.b\":{\"c.d\":1},\"a\":{\"b.c\":{\"d\":2},\"b\":{\"c\":{\"d\":3}}}}",
                "a.b.c.d"))
        .isEqualTo(
            "{\"a.b\":{\"c.d\":null},\"a\":{\"b.c\":{\"d\":null},\"b\":{\"c\":{\"d\":null}}}}");
  }

  @Test
  void severalPathsAreBlankedInOneWalk() {
    assertThat(
            blank(
                "{\"user\":{\"id\":7,\"mail\":\"m\"},\"ip\":\"::1\",\"ms\":3}",
                "user.mail",
                "ip",
                "none"))
        .isEqualTo("{\"user\":{\"id\":7,\"mail\":null},\"ip\":null,\"ms\":3}");
    assertThat(blank("{\"a\":{\"b\":1}}", "a.b", "a")).isEqualTo("{\"a\":null}");
  }

  @Test
  void aPayloadWithoutMembersStays() {
    assertThat(blank("\"ada\"", "a")).isEqualTo("\"ada\"");
    assertThat(blank("[{\"a\":1}]", "a")).isEqualTo("[{\"a\":1}]");
    assertThat(blank("", "a")).isEmpty();
  }

  @Test
  void aPayloadThatIsCutOffIsBlankedWhole() {
    String payload = "{\"a\":{\"b\":\"secret\"},\"c\":[1,2],\"d\":\"e\"}";
    for (int length = 1; length < payload.length(); length++) {
      assertThat(blank(payload.substring(0, length), "a.b")).isEqualTo("null");
    }
  }
}
