package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicSelectionTest {
  @ParameterizedTest
  @CsvSource({
    "orders, true",
    "order, false",
    "shop.paid, true",
    "shopXpaid, false",
    "shop.paid.rejected, false",
    "orders.rejected, false",
    "kept.rejected, true",
  })
  void patternsMatchNoDeadLetters(String topic, boolean taken) {
    TopicSelection topics =
        new TopicSelection(List.of("orders", "kept.rejected", "/shop\\..*|orders.*x/"));
    Pattern all = topics.pattern(DeadLetterName.DEFAULT);
    assertThat(all.matcher(topic).matches()).isEqualTo(taken);
  }

  @Test
  void withoutDeadLettersPatternsMatchAll() {
    TopicSelection topics = new TopicSelection(List.of("/.*/"));
    assertThat(topics.pattern(DeadLetterName.OFF).matcher("a.rejected").matches()).isTrue();
    assertThat(
            topics.pattern(new DeadLetterName("bad-{topic}-x")).matcher("bad-orders-x").matches())
        .isFalse();
    assertThat(topics.pattern(new DeadLetterName("bad")).matcher("bad").matches()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "/(/", "/", "//", "größe"})
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> new TopicSelection(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{topic}", "a b", "{topics}.x"})
  void invalidDeadLetterNamesAreRefused(String template) {
    assertThatThrownBy(() -> new DeadLetterName(template)).hasMessageContaining("{topic}");
  }
}
