package hourglass.store.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bytes.ByteSearch;
import hourglass.store.Columns;
import hourglass.store.CorruptException;
import hourglass.store.FieldFilter;
import hourglass.store.TextFilter;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The text of an object beside it costs next to nothing, and is given back as it was. */
class ObjectTextTest {
  private static final int COUNT = 1000;

  private final PageCodec codec = new PageCodec();

  @AfterEach
  void close() {
    codec.close();
  }

  @Test
  void costsNothing() {
    assertThat(bytes(ObjectTextTest::line)).isLessThan(bytes(i -> withoutText(line(i))) + 60);
  }

  @Test
  void textsOfSeveralShapesCostNothing() {
    IntFunction<String> lines = i -> i % 3 == 0 ? of("{\"n\":%d}".formatted(i)) : line(i);
    assertThat(bytes(lines)).isLessThan(bytes(i -> withoutText(lines.apply(i))) + 120);
  }

  /** Whichever comes first. */
  @Test
  void otherTextsStayTexts() {
    for (int odd : new int[] {0, 1, COUNT - 1}) {
      IntFunction<String> lines =
          i -> i == odd ? line(i).replace("\\\"n\\\"", "\\u0022n\\\"") : line(i);
      assertThat(bytes(lines)).isLessThan(bytes(ObjectTextTest::line) + 250);
    }
  }

  @Test
  void escapesAreCounted() {
    roundTrip(i -> of("{\"a\":\"%s\",\"n\":%d}".formatted("\\\\\\\"".repeat(i % 5), i)));
    roundTrip(
        i -> of("{\"k\\\"\":\"é%s\",\"o\":{\"p\":[%d,\"x\"]}}".formatted("日本".repeat(i % 3), i)));
    roundTrip(i -> of("{ \"a\" : {\"b\" : " + i + " } }"));
    roundTrip(i -> of("{\"a\":\"" + "long ".repeat(i % 90) + "\"}"));
  }

  @Test
  void whatIsAlmostATextOfTheObject() {
    for (String json :
        new String[] {"{\"n\":1}", "{\"n\":", "{\"n\":12", "{\"n\":1}x", "{\"n\":1} "}) {
      String text = json.replace("\"", "\\\"");
      roundTrip(i -> "{\"m\":\"" + text + "\",\"o\":{\"n\":1},\"i\":" + i + "}");
      roundTrip(i -> "{\"o\":{\"n\":1},\"m\":\"" + text + "\",\"i\":" + i + "}");
      roundTrip(i -> "{\"m\":\"" + text + "\",\"a\":{\"o\":{\"n\":1}},\"i\":" + i + "}");
      roundTrip(
          i -> "{\"m\":\"" + text + "\",\"m\":\"" + text + "\",\"o\":{\"n\":1},\"i\":" + i + "}");
      roundTrip(i -> "{\"m\":\"" + text + "\",\"o\":{\"n\":1},\"o\":{\"n\":1},\"i\":" + i + "}");
    }
    roundTrip(i -> "{\"m\":\"{\\");
    roundTrip(i -> "{\"m\":\"{\\\",\"o\":{}}");
    roundTrip(i -> "{\"m\":\"{\\\"n\\\":1}\\\",\"o\":{\"n\":1}}");
  }

  /** All that is searched for in a text is in the object too, but for backslashes. */
  @Test
  void searchesFindWhatIsInTexts() {
    Columns columns = columns(ObjectTextTest::line);
    byte[] page = codec.encode(columns);
    assertThat(matching(page, "user-7\"")).isEqualTo(matching(page, "user-7\\\"")).isPositive();
    assertThat(matching(page, "absent")).isZero();
    assertThat(matching(page, "abs\\\"ent")).isZero();
    assertThat(matching(page, "\\\"n\\\":7,\\\"user")).isPositive();
    assertThat(matching(page, "{\\\"n")).isEqualTo(COUNT);
    for (int i = 0; i < COUNT; i += 99) {
      String text = new String(columns.payload(i), UTF_8);
      for (int from = 0; from < text.length() - 9; from++) {
        assertThat(matching(page, text.substring(from, from + 9))).isPositive();
      }
    }
  }

  private long matching(byte[] page, String text) {
    FieldFilter filter = new TextFilter(new ByteSearch(text.getBytes(UTF_8), false));
    Columns read = codec.match(page, filter);
    long matching = 0;
    for (int i = 0; i < read.size(); i++) {
      matching += filter.mayMatch(read, i) ? 1 : 0;
    }
    return matching;
  }

  /** The description of a page, changed and made right again. */
  @Test
  void placesOutsideOfTheShapeAreRefused() {
    byte[] page = codec.encode(RandomColumns.of(40, i -> of("{\"n\":1}").getBytes(UTF_8)));
    PageHeader header = PageHeader.read(page);
    int found = 0;
    for (int at = header.length(); at < page.length; at++) {
      for (int value : new int[] {0, 1, 20, 30, 0x7f, 0xff}) {
        byte[] changed = page.clone();
        changed[at] = (byte) value;
        Pages.mend(changed);
        try {
          codec.decode(changed);
        } catch (CorruptException e) {
          found += String.valueOf(e.getMessage()).contains("text of an object") ? 1 : 0;
        }
      }
    }
    assertThat(found).isPositive();
    assertThatThrownBy(() -> ObjectText.write(new byte[200], 0, 100, new byte[110], 0, 40))
        .isInstanceOf(CorruptException.class);
  }

  private static String line(int i) {
    return of(
        "{\"n\":%d,\"user\":\"user-%d\",\"ok\":%s}".formatted(i * 31 % 997, i % 50, i % 2 == 0));
  }

  private static String of(String object) {
    return "{\"message\":\"%s\",\"labels\":{\"app\":\"shop\"},\"json\":%s}"
        .formatted(object.replace("\\", "\\\\").replace("\"", "\\\""), object);
  }

  private static String withoutText(String payload) {
    return "{" + payload.substring(payload.indexOf("\"labels\""));
  }

  private static Columns columns(IntFunction<String> payload) {
    return RandomColumns.of(COUNT, i -> payload.apply(i).getBytes(UTF_8));
  }

  private void roundTrip(IntFunction<String> payload) {
    bytes(payload);
  }

  private int bytes(IntFunction<String> payload) {
    Columns columns = columns(payload);
    byte[] page = codec.encode(columns);
    Pages.assertSame(codec.decode(page), columns);
    Pages.assertSameNames(codec.decodeNames(page), columns);
    return page.length;
  }
}
