package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventLineTest {
  private static final String HEAD =
      "{\"id\":\"8a2f6c10-c5e5-11f0-9d3a-0242ac120002\",\"time\":\"2026-11-20T08:00:00.3310000Z\","
          + "\"type\":\"checkout\",\"data\":";

  private final EventLine line = new EventLine(new Colours(false));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // the payload | the fields
        "{}                                          | ``",
        "{\"amount\":42}                             | ` amount=42`",
        "{\"a\":1.50,\"b\":1e400,\"c\":true,\"d\":null} | ` a=1.50 b=1e400 c=true d=null`",
        "{\"user\":{\"name\":\"Ada\",\"at\":{\"x\":1}}} | ` user.name=Ada user.at.x=1`",
        "{\"none\":{}}                               | ` none={}`",
        "{\"items\":[1,{\"a\":\"b c\"},[]]}          | ` items=[1,{\"a\":\"b c\"},[]]`",
        "{\"a\":1,\"a\":2}                           | ` a=1 a=2`",
        "{\"m\":\"two words\",\"e\":\"\",\"q\":\"a=b\"} | ` m=\"two words\" e=\"\" q=\"a=b\"`",
        "{\"q\":\"say \\\"hi\\\"\\\\\"}              | ` q=\"say \\\"hi\\\"\\\\\"`",
        "{\"odd key\":1}                             | ` \"odd key\"=1`",
        "{\"de\":\"Grüße\",\"ja\":\"日本\",\"x\":\"🙂\"} | ` de=Grüße ja=日本 x=🙂`",
        // the type and the time of the event
        "{\"type\":\"checkout\",\"a\":1}             | ` a=1`",
        "{\"type\":\"other\"}                        | ` type=other`",
        "{\"time\":\"2026-11-20T09:00:00.331+01:00\"} | ``",
        "{\"time\":\"2026-11-20T08:00:00.332Z\"}     | ` time=2026-11-20T08:00:00.332Z`",
        "{\"time\":1763625600331}                    | ` time=1763625600331`",
        // what a terminal would obey
        "{\"x\":\"\\u001b[31m\"}                     | ` x=\"\\u001b[31m\"`",
        "{\"x\":\"a\\nb\\tc\"}                       | ` x=\"a\\nb\\tc\"`",
        "{\"x\":\"\\u009b\\u202e\\u2028\\ud800\"}    | ` x=\"\\u009b\\u202e\\u2028\\ud800\"`",
      })
  void payloadsArePrintedAsFields(String payload, String fields) throws Exception {
    assertThat(line.of(HEAD + payload + "}"))
        .isEqualTo("2026-11-20T08:00:00.331Z checkout" + fields);
  }

  @Test
  void timeTypeAndFieldNamesAreColoured() throws Exception {
    assertThat(new EventLine(new Colours(true)).of(HEAD + "{\"amount\":42}}"))
        .isEqualTo(
            "\u001b[2m2026-11-20T08:00:00.331Z\u001b[0m"
                + " \u001b[1;93mcheckout\u001b[0m"
                + " \u001b[36mamount\u001b[0m=42");
  }

  @Test
  void numbersAndNamesMayHaveAnyLength() throws Exception {
    String number = "7".repeat(5_000);
    String name = "n".repeat(60_000);
    assertThat(line.of(HEAD + "{\"" + name + "\":" + number + "}}"))
        .endsWith(" " + name + "=" + number);
  }

  @Test
  void aTruncatedEventIsRefused() {
    assertThatThrownBy(() -> line.of(HEAD + "{\"amount\":4"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("broken event");
  }
}
