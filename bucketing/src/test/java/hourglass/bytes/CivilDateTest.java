package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class CivilDateTest {
  @Test
  void agreesWithTheLibraryFor1400Years() {
    for (LocalDate date = LocalDate.of(1000, 1, 1);
        date.getYear() < 2400;
        date = date.plusDays(1)) {
      int year = date.getYear();
      int month = date.getMonthValue();
      int day = date.getDayOfMonth();
      assertThat(CivilDate.epochDay(year, month, day)).isEqualTo(date.toEpochDay());
      assertThat(CivilDate.ofEpochDay(date.toEpochDay()))
          .isEqualTo((long) year << 16 | month << 8 | day);
      assertThat(CivilDate.days(year, month)).isEqualTo(date.lengthOfMonth());
    }
  }
}
