package hourglass.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.syslog.MessageFramer.Rest;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MessageFramerTest {
  private static final int MAX = 40;

  private final Random random = Seed.random(this);

  static Stream<Arguments> streams() {
    return Stream.of(
        Arguments.of("", List.of()),
        Arguments.of("\n\n\0\r\n", List.of()),
        Arguments.of("<13>a\n<13>b\n", List.of("<13>a", "<13>b")),
        Arguments.of("<13>a\n<13>b", List.of("<13>a", "<13>b")),
        Arguments.of("<13>a", List.of("<13>a")),
        Arguments.of("<13>a\nb\nc\n<13>d\ne\n", List.of("<13>a", "b", "c", "<13>d", "e")),
        Arguments.of("<13>a\nb\0<13>c\nd\0", List.of("<13>a\nb", "<13>c\nd")),
        Arguments.of("<13>a\0<13>c\nd\0<13>e", List.of("<13>a", "<13>c\nd", "<13>e")),
        Arguments.of("a\nb\0c\n", List.of("a", "b", "c")),
        Arguments.of("a<14>1 b<14>1 c\n", List.of("a<14>1 b<14>1 c")),
        Arguments.of(
            "<14>1 a<14>1 b<14> c\nd<14>1 e", List.of("<14>1 a", "<14>1 b<14> c\nd", "<14>1 e")),
        Arguments.of("<14>1 a <1", List.of("<14>1 a <1")),
        Arguments.of("5 <1>ab7 <1>\ncde", List.of("<1>ab", "<1>\ncde")),
        Arguments.of("5 <1>ab\n7 <1>\ncde\n", List.of("<1>ab", "<1>\ncde")),
        Arguments.of("5 <1>ab9 <1>", List.of("<1>ab", "<1>...")),
        Arguments.of("5 <1>ab12", List.of("<1>ab")),
        Arguments.of("5 <1>abc\nd\n", List.of("<1>ab", "c", "d")),
        Arguments.of("12 apples\n13 pears\n", List.of("12 apples", "13 pears")),
        Arguments.of("12", List.of("12")),
        Arguments.of("0 <1>\n", List.of("0 <1>")),
        Arguments.of("1234567890 <1>\n", List.of("1234567890 <1>")),
        Arguments.of("<1>" + "x".repeat(37) + "\nb\n", List.of("<1>" + "x".repeat(37), "b")),
        Arguments.of(
            "<1>" + "x".repeat(38) + "\nb\n", List.of("<1>" + "x".repeat(37) + "...", "b")),
        Arguments.of(
            "<1>a\n<1>" + "x".repeat(99) + "\nb\n",
            List.of("<1>a", "<1>" + "x".repeat(37) + "...", "b")),
        Arguments.of(
            "<1>a\0<1>" + "x\n".repeat(99) + "\0b\0",
            List.of("<1>a", "<1>" + "x\n".repeat(18) + "x...", "b")),
        Arguments.of(
            "<1>1 a<1>1 " + "x".repeat(99) + "<1>1 b",
            List.of("<1>1 a", "<1>1 " + "x".repeat(35) + "...", "<1>1 b")),
        Arguments.of(
            "99 <1>" + "x".repeat(96) + "4 <1>b", List.of("<1>" + "x".repeat(37) + "...", "<1>b")));
  }

  @ParameterizedTest
  @MethodSource("streams")
  void theFirstMessageDecidesTheFraming(String stream, List<String> messages) {
    assertThat(framed(List.of(stream))).isEqualTo(messages);
  }

  @ParameterizedTest
  @MethodSource("streams")
  void messagesAreTheSameInAnyPieces(String stream, List<String> messages) {
    for (int i = 0; i < 200; i++) {
      assertThat(framed(pieces(stream))).isEqualTo(messages);
    }
    assertThat(framed(stream.chars().mapToObj(c -> String.valueOf((char) c)).toList()))
        .isEqualTo(messages);
  }

  /** Most of the random bytes are significant to the framer. */
  @Test
  void randomBytesAreFramedAlikeInAnyPieces() {
    String alphabet = "<<>>11 \n\n\0\r5x";
    for (int i = Tier.length(4_000, 20_000, 2_000_000); i > 0; i--) {
      StringBuilder stream = new StringBuilder();
      for (int length = random.nextInt(120); length > 0; length--) {
        stream.append(
            random.nextInt(4) == 0
                ? List.of("<13>1 ", "<1>", "7 <1>", "33 <1>").get(random.nextInt(4))
                : String.valueOf(alphabet.charAt(random.nextInt(alphabet.length()))));
      }
      String whole = stream.toString();
      assertThat(framed(pieces(whole))).as("%s", whole).isEqualTo(framed(List.of(whole)));
    }
  }

  @Test
  void aReturnedMessageIsReadAgain() {
    for (Arguments of : streams().toList()) {
      String stream = (String) of.get()[0];
      MessageFramer framer = MessageFramer.ofStream(MAX);
      List<String> twice = new ArrayList<>();
      for (String piece : pieces(stream)) {
        framer.add(ByteBuffer.wrap(bytes(piece)));
        while (framer.next(Rest.MORE)) {
          framer.back();
          assertThat(framer.next(Rest.MORE)).isTrue();
          twice.add(text(framer));
        }
      }
      while (framer.next(Rest.END)) {
        framer.back();
        assertThat(framer.next(Rest.END)).isTrue();
        twice.add(text(framer));
      }
      assertThat(twice).as("%s", stream).isEqualTo(of.get()[1]);
    }
  }

  @Test
  void aPauseEndsAnUnframedMessage() {
    MessageFramer framer = MessageFramer.ofStream(MAX);
    List<String> messages = new ArrayList<>();
    framer.add(ByteBuffer.wrap(bytes("<14>1 a")));
    StoredMessages.drain(framer, Rest.MORE, messages);
    assertThat(messages).isEmpty();
    StoredMessages.drain(framer, Rest.QUIET, messages);
    framer.add(ByteBuffer.wrap(bytes("<14>1 b<14>1 c")));
    StoredMessages.drain(framer, Rest.MORE, messages);
    StoredMessages.drain(framer, Rest.QUIET, messages);
    assertThat(messages).containsExactly("<14>1 a", "<14>1 b", "<14>1 c");
  }

  @Test
  void aPauseDoesNotEndALine() {
    MessageFramer framer = MessageFramer.ofStream(MAX);
    List<String> messages = new ArrayList<>();
    framer.add(ByteBuffer.wrap(bytes("<14>a\n")));
    StoredMessages.drain(framer, Rest.MORE, messages);
    assertThat(messages).isEmpty();
    StoredMessages.drain(framer, Rest.QUIET, messages);
    framer.add(ByteBuffer.wrap(bytes("<14>b\nhalf of")));
    StoredMessages.drain(framer, Rest.MORE, messages);
    StoredMessages.drain(framer, Rest.QUIET, messages);
    assertThat(messages).containsExactly("<14>a", "<14>b");
  }

  @Test
  void eachDatagramIsAMessage() {
    MessageFramer framer = MessageFramer.ofDatagrams(MAX);
    for (String message : List.of("<13>a\nb\0", "x".repeat(50), "c")) {
      ByteBuffer chunk = ByteBuffer.allocate(4 + message.length());
      framer.add(chunk.putInt(message.length()).put(bytes(message)).flip());
    }
    List<String> messages = new ArrayList<>();
    StoredMessages.drain(framer, Rest.MORE, messages);
    assertThat(messages).containsExactly("<13>a\nb\0", "x".repeat(40) + "...", "c");
  }

  private List<String> framed(List<String> pieces) {
    List<byte[]> bytes = pieces.stream().map(MessageFramerTest::bytes).toList();
    return StoredMessages.framed(MessageFramer.ofStream(MAX), bytes);
  }

  private List<String> pieces(String whole) {
    List<String> pieces = new ArrayList<>();
    for (int at = 0; at < whole.length(); ) {
      int next = Math.min(whole.length(), at + 1 + random.nextInt(1 + random.nextInt(20)));
      pieces.add(whole.substring(at, next));
      at = next;
    }
    return pieces;
  }

  private static String text(MessageFramer framer) {
    int length = framer.to() - framer.from();
    return new String(framer.bytes(), framer.from(), length, StandardCharsets.ISO_8859_1)
        + (framer.isTruncated() ? "..." : "");
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
