package hourglass.query.rows;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.planner.PlannerOptions;
import org.junit.jupiter.api.Test;

class GrowthMeterTest {
  /** The row's first column has this time. */
  private static final long FIRST_MILLIS = Rows.HOUR.start().toEpochMilli() + 600_000;

  private final GrowthMeter meter = new GrowthMeter();

  private Growth look(int second, long columns) {
    return look("t", second, columns);
  }

  private Growth look(String type, int second, long columns) {
    RowFill row = RowFill.of(Rows.open(type, 0, columns, 0), PlannerOptions.DEFAULTS);
    return meter.look(row, FIRST_MILLIS + second * 1_000L);
  }

  @Test
  void theFirstLookTellsTheMeanOfTheRowsLife() {
    assertThat(look(100, 500)).isEqualTo(new Growth(5, 100));
  }

  @Test
  void laterOnesTellWhatCameSinceAnEarlierOne() {
    look(100, 500);
    assertThat(look(105, 600)).isEqualTo(new Growth(20, 5));
    assertThat(look(110, 700)).isEqualTo(new Growth(20, 10));
    assertThat(look(115, 700)).as("since 100").isEqualTo(new Growth(200 / 15.0, 15));
    assertThat(look(120, 700)).as("since 110").isEqualTo(new Growth(0, 10));
  }

  @Test
  void looksThatFollowAtOnceAreComparedWithNothing() {
    look(100, 500);
    assertThat(look(101, 505)).isEqualTo(new Growth(5, 101));
  }

  @Test
  void aLookOfLongAgoSaysNothingOfNow() {
    look(100, 500);
    assertThat(look(160, 560)).isEqualTo(new Growth(1, 60));
    assertThat(look(221, 663)).isEqualTo(new Growth(3, 221));
  }

  @Test
  void aBoundThatBecameACountIsNoGrowth() {
    look(100, 564);
    assertThat(look(110, 500)).isEqualTo(new Growth(0, 10));
  }

  @Test
  void aClockThatIsPutBackBeginsAnew() {
    look(100, 500);
    assertThat(look(50, 500)).isEqualTo(new Growth(10, 50));
    assertThat(look(60, 510)).isEqualTo(new Growth(1, 10));
  }

  @Test
  void aRowWhoseColumnsLieAheadSaysNothing() {
    assertThat(look(-1, 500)).isNull();
    assertThat(look(0, 500)).isEqualTo(new Growth(500, 1));
  }

  @Test
  void rowsAreRememberedUpToABound() {
    look("first", 100, 500);
    for (int i = 0; i < GrowthMeter.ROWS_MAX - 1; i++) {
      look("t" + i, 100, 500);
    }
    assertThat(look("first", 110, 600)).isEqualTo(new Growth(10, 10));
    look("one more", 110, 600);
    assertThat(look("first", 120, 600)).as("used of late").isEqualTo(new Growth(0, 10));
    assertThat(look("t0", 120, 600)).as("forgotten").isEqualTo(new Growth(5, 120));
  }
}
