package hourglass.load.verify;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.load.LoadRunner;
import hourglass.load.client.FakeTarget;
import hourglass.load.client.Misbehaviour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every misbehaviour of a target fails the run, under its name. */
final class VerifyTest {
  /** Three pages. */
  private static final String[] GENERATE = {
    "generate", "--events", "2100", "--batch", "150", "--hour", "2026-11-20T08", "--verify"
  };

  @Test
  void correctRunIsVerified() {
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out())
          .as(run.err())
          .contains("verified  2,100 events expected, 2,100 read back");
      assertThat(run.exit()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LOSES_AN_EVENT,     1 lost",
    "DOUBLES_AN_EVENT,   1 doubled",
    "REPEATS_IN_STREAM,  1 same id and type twice",
    "ALTERS_A_BYTE,      1 altered payload",
    "SHIFTS_A_TIME,      1 lost",
    "CHANGES_A_TYPE,     1 lost",
    "SWAPS_IN_STREAM,    1 out of order",
    "SHOWS_ANOTHER_TIME, 1 time and id disagree",
    "MISCOUNTS,          1 counts by type disagree",
    "PAGE_SKIPS,         pages disagree with the stream",
    "PAGE_REPEATS,       pages disagree with the stream",
    "PAGE_INCOMPLETE,    pages disagree with the stream",
    "STREAM_INCOMPLETE,  1 answers that call themselves incomplete",
    "ENDS_STREAM_EARLY,  '1,050 lost'"
  })
  void faultsAreFound(Misbehaviour misbehaviour, String fault) {
    try (FakeTarget target = new FakeTarget(misbehaviour)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out()).as(run.err()).contains("WRONG").contains(fault);
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"LOSES_AN_EVENT", "DOUBLES_AN_EVENT", "ALTERS_A_BYTE"})
  void reportsContainTheWrongEvent(Misbehaviour misbehaviour) {
    try (FakeTarget target = new FakeTarget(misbehaviour)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out())
          .as(run.err())
          .contains("sent in batch")
          .contains("\"time\":\"2026-11-20T08:0");
    }
  }

  @Test
  void brokenStreamIsFailure() {
    try (FakeTarget target = new FakeTarget(Misbehaviour.CUTS_STREAM)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.err()).contains("load: GET /api/v1/events?from=");
      assertThat(run.exit()).isEqualTo(1);
    }
  }

  @Test
  void foreignEventsFailOnlyIfExact() {
    try (FakeTarget target = new FakeTarget()) {
      String[] hour = {"generate", "--hour", "2026-11-20T08", "--events"};
      LoadRunner.load(target.uri(), hour[0], hour[1], hour[2], hour[3], "300", "--seed", "5");
      LoadRunner lenient = LoadRunner.load(target.uri(), GENERATE);
      assertThat(lenient.out()).contains("events of the range are not of this run");
      assertThat(lenient.exit()).isZero();
      LoadRunner exact =
          LoadRunner.load(
              target.uri(),
              hour[0],
              hour[1],
              hour[2],
              hour[3],
              "10",
              "--seed",
              "9",
              "--verify-exact");
      assertThat(exact.out()).contains("not ours").contains("stored as ");
      assertThat(exact.exit()).isEqualTo(1);
    }
  }

  @Test
  void repeatWithoutKeysDoublesAllEvents() {
    try (FakeTarget target = new FakeTarget()) {
      LoadRunner.load(target.uri(), GENERATE);
      LoadRunner second = LoadRunner.load(target.uri(), GENERATE);
      assertThat(second.out()).contains("2,100 doubled");
      assertThat(second.exit()).isEqualTo(1);
    }
  }

  @Test
  void rejectedEventsAreNotExpected() {
    try (FakeTarget target = new FakeTarget(Misbehaviour.REJECTS_THE_THIRD)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out())
          .as(run.err())
          .contains("2,086 accepted, 14 rejected")
          .contains("such as: the third");
      assertThat(run.out()).as(run.err()).contains("verified  2,086 events expected");
    }
  }

  @Test
  void eventsOfUnknownFateAreNotExpected() {
    try (FakeTarget target = new FakeTarget(Misbehaviour.CUTS_AFTER_STORING)) {
      LoadRunner run = LoadRunner.load(target.uri(), GENERATE);
      assertThat(run.out()).as(run.err()).contains("1,950 accepted, 0 rejected, 150 unknown");
      assertThat(run.out())
          .as(run.err())
          .contains("verified  1,950 events expected, 2,100 read back");
      assertThat(run.out()).as(run.err()).contains("150 of unknown fate are stored");
      assertThat(run.exit()).isEqualTo(1);
    }
  }
}
