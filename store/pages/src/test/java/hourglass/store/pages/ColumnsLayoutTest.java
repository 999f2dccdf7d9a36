package hourglass.store.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Ticks;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.PageInput;
import hourglass.testing.Tier;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the size of each kind of field, and that awkward values round-trip. */
class ColumnsLayoutTest {
  private static final int COUNT = 1000;

  /** Round trips need no more. */
  private static final int FEW = 120;

  private final PageCodec codec = new PageCodec();
  private final Random random = new Random(1);

  @ParameterizedTest
  @ValueSource(bytes = {10, 11, -1})
  void fieldsOfOtherKindsAreRefused(byte kind) {
    byte[] description = {kind, 1, 1, 1};
    assertThatThrownBy(() -> Values.describe(new PageInput(description, 0, 4)))
        .isInstanceOf(CorruptException.class)
        .hasMessage("page: fields of kind " + (kind & 0xff) + " are unknown");
  }

  @Test
  void constantsUseNoSpace() {
    assertCost(0, i -> "\"always the same\"");
  }

  @Test
  void enumeratedValuesUseOnlyTheirBits() {
    assertCost(0.15, i -> random.nextBoolean() ? "true" : "false");
    assertCost(0.65, i -> "\"host-" + random.nextInt(10) + ".example\"");
  }

  @Test
  void timesOfTheEventUseNoSpace() {
    for (String zone : new String[] {"Z", "", "+00:00"}) {
      for (int length : new int[] {19, 21, 23, 26, 27}) {
        assertCost(0, i -> '"' + time(i).substring(0, length) + zone + '"');
      }
      assertCost(0, i -> '"' + time(i).substring(0, 27).replace('T', ' ') + "00" + zone + '"');
    }
    assertCost(0, i -> Long.toString(unixTicks(i) / Ticks.PER_SECOND));
    assertCost(0, i -> Long.toString(unixTicks(i) / Ticks.PER_MILLI));
    assertCost(0, i -> '"' + Long.toString(unixTicks(i) / 10) + '"');
    assertCost(0, i -> unixTicks(i) * 100 + "");
    assertCost(0, i -> "%d.%06d".formatted(unixTicks(i) / 10_000_000, unixTicks(i) / 10 % 1000000));
  }

  @Test
  void timesNearTheEventUseTheirDistance() {
    assertCost(1.1, i -> '"' + Ticks.text(ticks(i) + 10_000 * random.nextInt(250)) + '"');
  }

  @Test
  void awkwardTimesRoundTrip() {
    assertRoundTrip(
        "\"2026-02-29T08:00:00Z\"",
        "\"2026-11-20T24:00:00Z\"",
        "\"2026-11-20T23:59:60Z\"",
        "\"2026-11-20T08:00:00.Z\"",
        "\"2026-11-20t08:00:00Z\"",
        "\"1969-12-31T23:59:59Z\"",
        "\"9999-12-31T23:59:59Z\"",
        "\"2026-11-20T08:00:00.0000000001Z\"",
        "\"0000-00-00T00:00:00Z\"");
  }

  @Test
  void numbersUseTheirEntropy() {
    assertCost(2.1, i -> Integer.toString(random.nextInt(65536)));
    assertCost(2.1, i -> "%d.%02d".formatted(random.nextInt(500), random.nextInt(100)));
    assertCost(2.1, i -> Double.toString(random.nextInt(50_000) / 100.0));
    assertCost(0.1, i -> Integer.toString(1_000_000 + 3 * i));
  }

  @Test
  void awkwardNumbersRoundTrip() {
    assertRoundTrip("-0", "0", "-1", "00", "0.0", "-0.5", "1e9", "1.", ".5", "-", "1.50", "2.5");
    assertRoundTrip("999999999999999999", "-999999999999999999", "9223372036854775808");
    assertRoundTrip("0.999999999999999999", "123456789012345678.5", "0.00000000000000000000001");
    assertRoundTrip("1", "2.5", "10", "100", "0.25", "-3", "1000000");
    assertRoundTrip("1.0", "2.5", "10.0", "0.25", "-3.0");
  }

  @Test
  void almostNumbersRoundTrip() {
    for (int b = 1; b < Tier.length(128, 256, 256); b++) {
      String odd = String.valueOf((char) b);
      if (!"\"\\".contains(odd)) {
        assertOddOneOut(i -> 1000 + i + "", "172" + odd, "1" + odd + "21", odd, odd + "72");
        assertOddOneOut(i -> 123456789L + i + "", "12345678" + odd, "1234" + odd + "6789");
        assertOddOneOut(i -> "%.2f".formatted(i / 7.0), "1.2" + odd, "1" + odd + "21", odd + ".1");
        assertOddOneOut(i -> "%06x".formatted(i * 99_991), "0a1" + odd + "ff", odd + "a1fff");
        assertOddOneOut(i -> "/x/" + i * i, "/x/1" + odd + "3", "/x/" + odd);
      }
    }
  }

  @Test
  void almostTimesRoundTrip() {
    String time = "2026-11-20T08:00:00.000331Z";
    for (int at = 0; at < time.length(); at++) {
      for (String odd : new String[] {"-", "/", ":", ".", "9", "T", "Z", "a"}) {
        String almost = time.substring(0, at) + odd + time.substring(at + 1);
        assertOddOneOut(i -> time(i).substring(0, 26) + "Z", almost);
      }
    }
  }

  /** Values that are mostly of one kind and all different, so that no dictionary is made. */
  private void assertOddOneOut(IntFunction<String> usual, String... odd) {
    for (String value : odd) {
      for (int at : new int[] {0, 70}) {
        assertRoundTrip(i -> "{\"v\":\"" + (i == at ? value : usual.apply(i)) + "\"}");
      }
    }
  }

  @Test
  void hexadecimalsUseHalfTheirDigits() {
    assertCost(4.1, i -> "\"%08x\"".formatted(random.nextInt()));
    assertCost(4.1, i -> "\"%08X\"".formatted(random.nextInt()));
    assertCost(16.2, i -> '"' + uuid() + '"');
    assertCost(16.2, i -> '"' + uuid().replace("-", "") + '"');
    assertCost(16.2, i -> '"' + uuid().toUpperCase() + '"');
    assertCost(32.3, i -> '"' + (uuid() + uuid()).replace("-", "") + '"');
  }

  @Test
  void awkwardHexadecimalsRoundTrip() {
    assertRoundTrip("\"0aF3\"", "\"0af3\"", "\"0AF3\"", "\"0a 3\"", "\"0a3\"", "\"\"", "\"-\"");
    String uuid = uuid();
    assertRoundTrip('"' + uuid + '"', '"' + uuid.replace('-', '_') + '"', '"' + uuid + "0\"");
  }

  @Test
  void numbersInTextsUseAsLittleAsNumbers() {
    assertCost(1.4, i -> "\"/api/orders/" + random.nextInt(1000) + '"');
    assertCost(4.3, i -> "\"10." + octet() + '.' + octet() + '.' + octet() + ' ' + octet() + '"');
    assertCost(2.9, i -> i % 3 == 0 ? "null" : "0.00" + random.nextInt(100_000));
  }

  @Test
  void awkwardTextsRoundTrip() {
    assertRoundTrip(
        "\"a\\\"b\"", "\"\\\\\"", "\"\\\\\\\"\"", "\"\u0000 1\"", "\"1234567890123456789012\"");
    assertRoundTrip("[1,[2,\"]\"]]", "[]", "[{\"a\":\"}\"}]", "{}", "{\"a\":{}}", "[1", "[1]]");
    assertRoundTrip("\"1.2.3.4.5.6.7.8.9.10.11\"", "\"007\"", "\"x000\"", "\"0\"", "\"12a34\"");
  }

  @Test
  void valuesThatLookLikeTheNextKeyRoundTrip() {
    assertRoundTrip(i -> "{\"a\":\"xx\",\"b\":\"" + "y\\\",\\\"b\\\":\\\"".repeat(i % 3) + "\"}");
    assertRoundTrip(i -> i % 2 == 0 ? "{\"a\":\"1\",\"a\":\"2\"}" : "{\"a\":\"1\",\"a\":\"22\"}");
    assertRoundTrip(i -> i % 2 == 0 ? "{\"a\":\"1\",\"b\":1}" : "{\"a\":\"1\",\"b\":\"1\"}");
  }

  @Test
  void nestedObjectsAreDividedIntoColumns() {
    int rows =
        "{\"data\":{\"order\":{\"id\":100000,\"state\":\"paid\"}},\"spec\":\"1.0\"}".length();
    double cost =
        cost(
            i ->
                "{\"data\":{\"order\":{\"id\":%d,\"state\":\"paid\"}},\"spec\":\"1.0\"}"
                    .formatted(100_000 + random.nextInt(60_000)));
    assertThat(cost).isLessThan(2.2).isLessThan(rows);
    assertRoundTrip(i -> "{\"a\":".repeat(i % 20) + i + "}".repeat(i % 20));
    assertRoundTrip(i -> "{\"a\":".repeat(i % 20) + i + "}".repeat(i % 7));
  }

  @Test
  void payloadsThatAreNoJsonAreStoredWhole() {
    assertRoundTrip(i -> i % 9 == 0 ? "line " + i : "{\"n\":" + i + "}");
    assertRoundTrip(i -> "{\"key" + i + "\":1}");
    assertRoundTrip(i -> "  { \"n\" : " + i + " , \"s\":\"x\" }\r\n");
    assertRoundTrip(i -> "{\"n\":" + i + "}{\"n\":1}");
    byte[] page = codec.encode(columns(COUNT, i -> "{\"key" + i + "\":1}"));
    assertThat(PageHeader.read(page).layout()).isEqualTo(PageHeader.ROWS);
  }

  @Test
  void manyShapesAreBounded() {
    assertRoundTrip(i -> "{\"a" + i % 63 + "\":" + i + "}");
    assertRoundTrip(i -> "{\"a" + i % 90 + "\":" + i + "}");
    assertRoundTrip(i -> "{" + "\"a\":1,".repeat(i % 2 == 0 ? 300 : 200) + "\"b\":" + i + "}");
  }

  private static long ticks(int i) {
    return RandomColumns.of(1, n -> new byte[0]).ticks(0) + i * Ticks.PER_SECOND;
  }

  private static long unixTicks(int i) {
    return ticks(i) - Ticks.UNIX_EPOCH;
  }

  private static String time(int i) {
    return Ticks.text(ticks(i)).substring(0, 27);
  }

  private int octet() {
    return random.nextInt(256);
  }

  private String uuid() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  private static Columns columns(int count, IntFunction<String> payloads) {
    return RandomColumns.of(count, i -> payloads.apply(i).getBytes(StandardCharsets.UTF_8));
  }

  /** Values among others, many times over. */
  private void assertRoundTrip(String... values) {
    for (String value : values) {
      assertRoundTrip(i -> "{\"v\":" + (i % 5 == 4 ? value : values[0]) + ",\"n\":" + i + "}");
      assertRoundTrip(i -> "{\"n\":" + i + ",\"v\":" + value + "}");
    }
    assertRoundTrip(i -> "{\"v\":" + values[i % values.length] + ",\"n\":" + i + "}");
    assertRoundTrip(i -> "{\"v\":" + values[i * 7 / 5 % values.length] + "}");
  }

  private byte[] assertRoundTrip(IntFunction<String> payloads) {
    return assertRoundTrip(FEW, payloads);
  }

  private byte[] assertRoundTrip(int count, IntFunction<String> payloads) {
    Columns columns = columns(count, payloads);
    byte[] page = codec.encode(columns);
    Pages.assertSame(codec.decode(page), columns);
    Pages.assertSameNames(codec.decodeNames(page), columns);
    return page;
  }

  /** Bytes an event, beyond names. */
  private double cost(IntFunction<String> payloads) {
    int names = columnBytes(codec.encode(columns(COUNT, i -> "{\"v\":1}")));
    return (double) (columnBytes(assertRoundTrip(COUNT, payloads)) - names) / COUNT;
  }

  /** Returns the bytes of a page without its filter of values. */
  private static int columnBytes(byte[] page) {
    return page[PageHeader.LAYOUT_AT] == PageHeader.FILTERED
        ? ValueFilter.start(page)
        : page.length;
  }

  private void assertCost(double bytesMax, IntFunction<String> values) {
    // A description, and what each run of numbers begins with, is spread over the events.
    assertThat(cost(i -> "{\"v\":" + values.apply(i) + "}")).isBetween(-0.01, bytesMax + 0.05);
  }
}
