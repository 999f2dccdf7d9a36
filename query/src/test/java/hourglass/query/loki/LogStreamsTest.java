package hourglass.query.loki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import hourglass.bucketing.Ticks;
import hourglass.query.AnswersFullException;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogQl;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LogStreamsTest {
  private static final int LINES = 300;

  private static LogStreams streams(LongConsumer reserve) {
    LogFilter all = LogFilter.of(LogQl.parseSelector("{app=~\".+\"}"), StreamLabels.STANDARD);
    return new LogStreams(all, false, 0, () -> false, reserve);
  }

  private static void take(LogStreams streams, String app, String message) {
    take(streams, "{\"message\":\"%s\",\"labels\":{\"app\":\"%s\"}}".formatted(message, app));
  }

  private static void take(LogStreams streams, String event) {
    byte[] payload = event.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder one = new ColumnsBuilder(1, payload.length);
    one.add(Ticks.UNIX_EPOCH + 7, 0, payload, 0, payload.length);
    Columns columns = one.build();
    streams.take("t", columns, 0);
  }

  private static String text(LogStreams streams) {
    return ImmutableList.copyOf(streams.pieces()).stream()
        .map(piece -> new String(piece, StandardCharsets.UTF_8))
        .collect(Collectors.joining());
  }

  @Test
  void memoryIsReservedOnceWithoutCopies() {
    AtomicLong reserved = new AtomicLong();
    LogStreams streams = streams(reserved::addAndGet);
    for (int i = 0; i < LINES; i++) {
      take(streams, i % 3 == 0 ? "a" : "b", "x".repeat(10_000));
    }
    List<byte[]> pieces = ImmutableList.copyOf(streams.pieces());
    long held = pieces.stream().mapToLong(piece -> piece.length).sum();
    assertThat(held).isGreaterThan(LINES * 10_000L);
    assertThat(reserved.get()).isBetween(held, held + (512 << 10));
    assertThat(pieces.stream().mapToInt(piece -> piece.length))
        .allMatch(length -> length <= (64 << 10) + "]},".length());
  }

  @Test
  void memoryIsReservedBeforeItIsUsed() {
    LongConsumer none =
        bytes -> {
          throw new AnswersFullException(bytes);
        };
    LogStreams streams = streams(none);
    assertThatThrownBy(() -> take(streams, "a", "x")).isInstanceOf(AnswersFullException.class);
    assertThat(ImmutableList.copyOf(streams.pieces())).isEmpty();
  }

  @Test
  void streamsAreElementsOfAnArrayWithTheirLinesInOrder() {
    LogStreams streams = streams(bytes -> {});
    for (int i = 0; i < 4; i++) {
      take(streams, i % 2 == 0 ? "a" : "b", "line " + i);
    }
    String stream =
        "{\"stream\":{\"app\":\"%s\",\"detected_level\":\"unknown\",\"service_name\":\"t\"},\"values\":[%s,%s]}";
    String line = "[\"700\",\"line %d\"]";
    assertThat(text(streams))
        .isEqualTo(
            stream.formatted("a", line.formatted(0), line.formatted(2))
                + ","
                + stream.formatted("b", line.formatted(1), line.formatted(3)));
  }

  @Test
  void linesWithTheSameLabelsShareAStream() {
    LogStreams streams = streams(bytes -> {});
    for (int i = 0; i < 2; i++) {
      take(streams, "{\"level\":\"x\",\"n\":1}");
      take(streams, "{\"severity\":\"x\",\"n\":2}");
      take(streams, "{\"severity\":\"x\",\"level\":\"\",\"n\":3}");
      take(streams, "{\"labels\":{\"level\":\"x\"},\"level\":\"y\",\"message\":\"4\"}");
      take(streams, "{\"labels\":{\"level\":\"x\"},\"metadata\":{},\"message\":\"5\"}");
      take(streams, "{\"labels\":{\"level\":\"x\",\"service_name\":\"u\"},\"message\":\"6\"}");
      take(streams, "{\"labels.level\":\"x\",\"n\":7}");
    }
    assertThat(text(streams))
        .startsWith(
            "{\"stream\":{\"detected_level\":\"x\",\"level\":\"x\",\"service_name\":\"t\"},\"values\":[")
        .containsOnlyOnce("\"stream\"");
    assertThat(text(streams).split("\\[\"700\",")).hasSize(1 + 14);
  }

  @Test
  void linesWithAnotherLevelHaveAnotherStream() {
    LogStreams streams = streams(bytes -> {});
    take(streams, "a", "disk full, error");
    take(streams, "a", "all is well");
    take(streams, "a", "ERROR again");
    assertThat(text(streams).split("\"stream\"")).hasSize(1 + 2);
    assertThat(text(streams))
        .contains("\"detected_level\":\"error\"", "\"detected_level\":\"unknown\"");
  }

  /**
   * White space before the member of the labels was before the line; a comma belongs to the member.
   */
  @Test
  void theLineOfAnObjectIsItsPayloadWithoutTheLabels() {
    String ours = "\"_loki\":{\"labels\":{\"app\":\"a\"}}";
    for (String[] payloadAndLine :
        new String[][] {
          {"{OURS,\"n\":1}", "{\"n\":1}"},
          {"{OURS}", "{}"},
          {"{OURS }", "{ }"},
          {"{ \n\tOURS, \"n\":1}\r\n", " \n\t{ \"n\":1}\r\n"},
          {"{OURS,\"n\":1,\"n\":\"\\u00e9\u00e9\\\"\"}", "{\"n\":1,\"n\":\"\\u00e9\u00e9\\\"\"}"},
          {
            "{OURS,\"labels\":{\"app\":\"b\"},\"message\":\"m\"}",
            "{\"labels\":{\"app\":\"b\"},\"message\":\"m\"}"
          },
          {"{\"n\":1, OURS,\"m\":2}", "{\"n\":1, \"m\":2}"},
          {"{\"n\":1 , OURS }", "{\"n\":1 }"},
          {
            "{\"labels\":{\"app\":\"b\"},\"message\":\"m\",OURS}",
            "{\"labels\":{\"app\":\"b\"},\"message\":\"m\"}"
          }
        }) {
      LogStreams streams = streams(bytes -> {});
      take(streams, payloadAndLine[0].replace("OURS", ours));
      JsonObject stream = new JsonObject(text(streams));
      assertThat(stream.getJsonObject("stream").getString("app")).isEqualTo("a");
      assertThat(stream.getJsonArray("values").getJsonArray(0).getString(1))
          .isEqualTo(payloadAndLine[1]);
    }
  }

  /** Fields of the line are no labels, whatever their names. */
  @Test
  void labelsOfAnObjectAreReadFromItsLokiMember() {
    LogStreams streams = streams(bytes -> {});
    take(
        streams,
        "{\"_loki\":{\"labels\":{\"app\":\"a\"},\"metadata\":{\"trace\":\"t\"}},\"level\":\"warn\",\"labels\":{\"env\":\"p\"},\"metadata\":{\"x\":\"y\"}}");
    take(streams, "{\"_loki\":{\"l\\u0061bels\":{\"app\":\"a\"},\"labels\":{}}}");
    assertThat(text(streams))
        .startsWith(
            "{\"stream\":{\"app\":\"a\",\"detected_level\":\"warn\",\"service_name\":\"t\",\"trace\":\"t\"},")
        .contains("{\"stream\":{\"detected_level\":\"unknown\",\"service_name\":\"t\"},");
  }

  /** Two adjacent values must not equal another pair with the same concatenation. */
  @Test
  void linesWithOtherLabelsHaveOtherStreams() {
    LogStreams streams = streams(bytes -> {});
    take(streams, "{\"level\":1,\"severity\":23}");
    take(streams, "{\"severity\":12}");
    take(streams, "{\"level\":12,\"severity\":3}");
    take(streams, "{\"level\":123}");
    take(streams, "{\"labels\":{\"level\":\"1\",\"app\":\"a\"}}");
    take(streams, "{\"metadata\":{\"level\":\"1\"}}");
    assertThat(text(streams).split("\"stream\"")).hasSize(1 + 4); // two have a level 1, two 12
  }

  @Test
  void theLastOfEqualKeysIsUsed() {
    LogStreams streams = streams(bytes -> {});
    take(streams, "{\"labels\":{\"app\":\"a\",\"env\":\"p\"},\"labels\":{\"app\":\"b\"}}");
    take(streams, "{\"metadata\":{\"x\":\"1\"},\"metadata\":7}");
    assertThat(text(streams))
        .startsWith(
            "{\"stream\":{\"app\":\"b\",\"detected_level\":\"unknown\",\"service_name\":\"t\"},")
        .contains("{\"stream\":{\"detected_level\":\"unknown\",\"service_name\":\"t\"},");
  }

  /**
   * The labels contain characters of one to four bytes, a lone surrogate, controls and escaped
   * characters.
   */
  @Test
  void labelsAreJsonStrings() {
    LogStreams streams = streams(bytes -> {});
    String value = "a\u00e9\u20ac\ud83d\ude00\\ud800\\u0001\\\"\\\\\\/\\u007f";
    take(streams, value, "x");
    assertThat(text(streams))
        .contains("\"app\":\"a\u00e9\u20ac\ud83d\ude00\\ud800\\u0001\\\"\\\\/\u007f\"");
  }
}
