package hourglass.bucketing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowKeyTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "checkout;3;20112608|checkout|3",
        "a|b;0;20112608|a%7Cb|0",
        "100%;12;20112608|100%25|12",
        "%7C;1;20112608|%257C|1",
        "a b/c\\d;1;20112608|a b/c\\d|1",
        "\u00e9t\u00e9;1;20112608|\u00e9t\u00e9|1",
        "\ud83d\ude80;2147483647;20112608|\ud83d\ude80|2147483647",
        "\u0000;1;20112608|%00|1",
        "a\tb;1;20112608|a%09b|1",
        "\u001f\u007f;1;20112608|%1F%7F|1",
        "\u0080\u0085\u009f;1;20112608|%C2%80%C2%85%C2%9F|1",
        "\u00a0;1;20112608|\u00a0|1",
      })
  void textContainsHourTypeAndShard(String type, int shard, String text) {
    RowKey key = new RowKey(HOUR, type, shard);
    assertThat(key).hasToString(text);
    assertThat(RowKey.parse(text)).isEqualTo(key);
  }

  @Test
  void roundTripsAnyType() {
    Random random = Seed.random("RowKeyTest");
    for (int i = 0; i < 20_000; i++) {
      RowKey key = new RowKey(HOUR, randomType(random), random.nextInt(1 << random.nextInt(31)));
      String text = key.toString();
      assertEquals(key, RowKey.parse(text));
      assertEquals(2, text.chars().filter(c -> c == '|').count(), text);
      assertEquals(0, text.chars().filter(Character::isISOControl).count(), text);
      assertTrue(text.startsWith("20112608|") && text.endsWith("|" + key.shard()), text);
    }
  }

  private static String randomType(Random random) {
    StringBuilder type = new StringBuilder();
    int length = 1 + random.nextInt(60);
    while (type.length() < length) {
      switch (random.nextInt(6)) {
        case 0 -> type.append("|%".charAt(random.nextInt(2)));
        case 1 -> type.append((char) random.nextInt(0xa1));
        case 2 -> type.append("%7C%25%C2%80".charAt(random.nextInt(12)));
        case 3 -> type.append((char) (0x20 + random.nextInt(0x60)));
        case 4 -> type.append((char) random.nextInt(0xd800));
        default -> type.appendCodePoint(0xe000 + random.nextInt(0x110000 - 0xe000));
      }
    }
    return type.toString();
  }

  @Test
  void everyCharacterBelowTheSurrogatesRoundTrips() {
    for (char c = 0; c < 0xd800; c++) {
      RowKey key = new RowKey(HOUR, String.valueOf(c), 0);
      assertEquals(key, RowKey.parse(key.toString()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "20112608",
        "20112608|checkout",
        "20112608|checkout|",
        "20112608||3",
        "|checkout|3",
        "20112608|checkout|3|4",
        "20112608|checkout|03",
        "20112608|checkout|+3",
        "20112608|checkout|-3",
        "20112608|checkout|-0",
        "20112608|checkout| 3",
        "20112608|checkout|\u0663",
        "20112608|checkout|2147483648",
        "20112608|checkout|x",
        "2011268|checkout|3",
        "20112624|checkout|3",
        "30022608|checkout|3",
        "20112608|%|3",
        "20112608|%7|3",
        "20112608|%7c|3",
        "20112608|%zz|3",
        "20112608|%41|3",
        "20112608|%C3%A9|3",
        "20112608|%FF|3",
        "20112608|%C2|3",
        "20112608|a\nb|3",
        "20112608|\u0085|3",
        "20112608|\ud83d|3"
      })
  void refusesInvalidTexts(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> RowKey.parse(text));
  }

  @Test
  void refusesInvalidTypes() {
    for (String type :
        List.of("", "\ud83d", "\ude80\ud83d", "x".repeat(257), "\u00e9".repeat(129))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RowKey(HOUR, type, 0))
          .withMessageStartingWith("type: ");
    }
    String longest = "\u00e9".repeat(128);
    assertThat(longest.getBytes(StandardCharsets.UTF_8)).hasSize(EventType.BYTES_MAX);
    assertThat(RowKey.parse(new RowKey(HOUR, longest, 0).toString()).type()).isEqualTo(longest);
  }

  @Test
  void refusesAShardBelowZero() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RowKey(HOUR, "checkout", -1))
        .withMessageContaining("-1");
  }

  @Test
  void sortsByHourTypeAndShard() {
    List<RowKey> sorted =
        List.of(
            new RowKey(HOUR.previous(), "z", 9),
            new RowKey(HOUR, "a", 2),
            new RowKey(HOUR, "a", 10),
            new RowKey(HOUR, "aa", 0),
            new RowKey(HOUR, "b", 0),
            new RowKey(HOUR.next(), "a", 0));
    assertThat(sorted.stream().sorted().toList()).isEqualTo(sorted);
  }

  @Test
  void rowsKnowTheirTypeHour() {
    TypeHour typeHour = new TypeHour(HOUR, "checkout");
    assertThat(typeHour.row(3)).isEqualTo(new RowKey(HOUR, "checkout", 3));
    assertThat(typeHour.row(3).typeHour()).isEqualTo(typeHour);
  }
}
