package hourglass.query.advice;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.shards.PlannerOptions;
import hourglass.query.advice.RowsReport.Growth;
import hourglass.store.RowEntry;
import org.junit.jupiter.api.Test;

class GrowthMeterTest {
  private static final long FIRST_MILLIS = Rows.HOUR.start().toEpochMilli() + 600_000;

  private final GrowthMeter meter = new GrowthMeter();

  private Growth look(int second, long columns) {
    return look("t", second, columns);
  }

  private Growth look(String type, int second, long columns) {
    return look(Rows.open(type, 0, columns, 0), second);
  }

  private Growth look(RowEntry row, int second) {
    return meter.observe(RowFill.of(row, PlannerOptions.DEFAULTS), FIRST_MILLIS + second * 1_000L);
  }

  private Growth lookBound(int second, long columns, long ahead) {
    return look(Rows.ahead(Rows.open("t", 0, columns, 0), ahead), second);
  }

  @Test
  void theFirstReadingIsTheMeanOfTheRowsLife() {
    assertThat(look(100, 500)).isEqualTo(new Growth(5, 100));
  }

  @Test
  void laterReadingsCompareWithAnEarlierOne() {
    look(100, 500);
    assertThat(look(105, 600)).isEqualTo(new Growth(20, 5));
    assertThat(look(110, 700)).isEqualTo(new Growth(20, 10));
    assertThat(look(115, 700)).as("since 100").isEqualTo(new Growth(200 / 15.0, 15));
    assertThat(look(120, 700)).as("since 110").isEqualTo(new Growth(0, 10));
  }

  @Test
  void readingsInQuickSuccessionAreNotCompared() {
    look(100, 500);
    assertThat(look(101, 505)).isEqualTo(new Growth(5, 101));
  }

  @Test
  void anOldReadingIsNotCompared() {
    look(100, 500);
    assertThat(look(160, 560)).isEqualTo(new Growth(1, 60));
    assertThat(look(221, 663)).isEqualTo(new Growth(3, 221));
  }

  @Test
  void aBoundReplacedByACountIsNotGrowth() {
    look(100, 564);
    assertThat(look(110, 500)).isEqualTo(new Growth(0, 10));
  }

  @Test
  void comparedReadingsAreAtMostAMinuteApart() {
    look(100, 500);
    look(155, 600);
    assertThat(look(160, 700)).isEqualTo(new Growth(200 / 60.0, 60));
    assertThat(look(164, 700)).as("since 155").isEqualTo(new Growth(100 / 9.0, 9));
  }

  /** An idle row, reported by its next column as a bound, did not grow. */
  @Test
  void aCountReplacedByABoundIsNotGrowth() {
    lookBound(100, 1_000, 0);
    assertThat(lookBound(110, 1_126, 125)).isNull();
    assertThat(lookBound(120, 1_126, 125)).as("idle again").isNull();
    assertThat(lookBound(130, 1_001, 0)).as("as before").isEqualTo(new Growth(0, 10));
  }

  @Test
  void growthBeyondTheErrorOfBoundsIsReported() {
    lookBound(100, 1_125, 125);
    assertThat(lookBound(110, 2_137, 237)).isEqualTo(new Growth(95.6, 10));
  }

  /** One column is reported as at most 65. */
  @Test
  void theMeanOfARowsLifeIsReportedOnceKnown() {
    assertThat(lookBound(100, 65, 64)).isNull();
    assertThat(lookBound(101, 96, 64)).isEqualTo(new Growth(64 / 101.0, 101));
  }

  @Test
  void anOvertakenReadingIsNotRemembered() {
    look(100, 500);
    look(120, 700);
    assertThat(look(115, 650)).as("since 100").isEqualTo(new Growth(10, 15));
    assertThat(look(130, 800)).as("since 120").isEqualTo(new Growth(10, 10));
  }

  @Test
  void aClockSetBackRestartsTheMeasurement() {
    look(200, 500);
    assertThat(look(50, 500)).isEqualTo(new Growth(10, 50));
    assertThat(look(60, 510)).isEqualTo(new Growth(1, 10));
  }

  @Test
  void aRowWithFutureColumnsHasNoGrowth() {
    assertThat(look(-1, 500)).isNull();
    assertThat(look(0, 500)).isEqualTo(new Growth(500, 1));
  }

  @Test
  void rowsAreRememberedUpToABound() {
    for (int i = 0; i < GrowthMeter.ROWS_MAX; i++) {
      look("t" + i, 100, 500);
    }
    look("one more", 100, 500);
    assertThat(look("t0", 110, 600)).as("not driven out").isEqualTo(new Growth(10, 10));
    assertThat(look("one more", 110, 600))
        .as("not remembered")
        .isEqualTo(new Growth(600 / 110.0, 110));
    look("one more", 161, 700);
    assertThat(look("one more", 171, 800)).as("as t1 is too old").isEqualTo(new Growth(10, 10));
    assertThat(look("t0", 120, 600)).as("used of late").isEqualTo(new Growth(0, 10));
  }
}
