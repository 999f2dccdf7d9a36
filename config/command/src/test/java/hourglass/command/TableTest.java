package hourglass.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
  @Test
  void namesAreLeftAndFiguresRight() {
    Table table = new Table(List.of("type"), List.of("events"), "bar");
    table.add(List.of("checkout", "7", "#"));
    table.add(List.of("a", "1,000", "###"));
    assertThat(table.text())
        .isEqualTo(
            """
            type      events  bar
            checkout       7  #
            a          1,000  ###
            """);
  }

  @Test
  void columnsAreAlignedByTheCellsThatCharactersFill() {
    Table table = new Table(List.of("city"), List.of("events"));
    table.add(List.of("東京", "1")); // each fills two cells
    table.add(List.of("Mu\u0308n", "2")); // the second mark fills none
    table.add(List.of("📦", "3"));
    assertThat(table.text())
        .isEqualTo("city  events\n東京       1\nMu\u0308n        2\n📦         3\n");
  }

  @Test
  void longCellsShiftOnlyTheirOwnLine() {
    Table table = new Table(List.of("path"), List.of("events"));
    table.add(List.of("x".repeat(70), "1"));
    table.add(List.of("y", "2"));
    assertThat(table.text().lines().map(String::length)).containsExactly(68, 78, 68);
  }

  @Test
  void onlyTheHeadsAreInColour() {
    Table table = new Table(List.of("type"), List.of("events"));
    table.add(List.of("a", "1"));
    assertThat(table.text(heads -> "<" + heads + ">")).isEqualTo("<type  events>\na          1\n");
  }

  @Test
  void controlCharactersAreEscaped() {
    Table table = new Table(List.of("type"), List.of());
    table.add(List.of("a\u001b[2J\n"));
    assertThat(table.text()).isEqualTo("type\na\\u001b[2J\\n\n");
  }
}
