package hourglass.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Order;
import hourglass.testing.Seed;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventCursorTest {
  private final Random random = Seed.random(this);
  private final TimeUuid name = TimeUuid.first(Hour.parse("2026-11-20T08").startTicks() + 331);
  private final EventCursor cursor =
      new EventCursor(
          new EventPosition(name, "prüfung|1"), Order.DESCENDING, Selection.ALL.digest(), false);

  @Test
  void cursorsRoundTrip() {
    String text = cursor.encode();
    assertThat(text).matches("[A-Za-z0-9_-]+");
    assertThat(EventCursor.parse(text, Selection.ALL, Order.DESCENDING, false)).isEqualTo(cursor);
  }

  @Test
  void aCursorOfPartialPagesNeedsPartialAllow() {
    EventCursor partial =
        new EventCursor(
            new EventPosition(name, "t"), Order.DESCENDING, Selection.ALL.digest(), true);
    String text = partial.encode();
    assertThat(EventCursor.parse(text, Selection.ALL, Order.DESCENDING, true)).isEqualTo(partial);
    assertThatThrownBy(() -> EventCursor.parse(text, Selection.ALL, Order.DESCENDING, false))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("follows pages on which rows were missing; want partial=allow");
    assertThat(EventCursor.parse(cursor.encode(), Selection.ALL, Order.DESCENDING, true))
        .isEqualTo(cursor);
  }

  @Test
  void anyFlippedBitIsRefused() {
    byte[] bytes = Base64.getUrlDecoder().decode(cursor.encode());
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] bent = bytes.clone();
      bent[bit / 8] ^= (byte) (1 << bit % 8);
      assertRefused(Base64.getUrlEncoder().withoutPadding().encodeToString(bent));
    }
  }

  @Test
  void forgedCursorsAreRefused() {
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      assertRefused(Base64.getUrlEncoder().encodeToString(bytes));
    }
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> EventCursor.parse(text, Selection.ALL, Order.DESCENDING, false))
        .isInstanceOf(BadParameterException.class)
        .hasMessageStartingWith("cursor: ");
  }
}
