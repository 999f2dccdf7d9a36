package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.decode.Reason;
import org.junit.jupiter.api.Test;

class FoldedErrorsTest {
  private final FoldedErrors errors = new FoldedErrors();

  private int counted() {
    return errors.entries().stream().mapToInt(FoldedErrors.Entry::count).sum();
  }

  @Test
  void equalReasonsShareAnEntry() {
    errors.add(12, Reason.TYPE_KIND, "type: not a string: 5");
    errors.add(13, Reason.NOT_JSON, "event: not JSON");
    errors.add(15, Reason.TYPE_KIND, "type: not a string: 5");
    errors.add(40, Reason.TYPE_KIND, "type: not a string: 5");
    assertThat(errors.entries())
        .extracting(FoldedErrors.Entry::reason)
        .containsExactly("type: not a string: 5", "event: not JSON");
    FoldedErrors.Entry first = errors.entries().iterator().next();
    assertThat(first.count()).isEqualTo(3);
    assertThat(first.indexes()).containsExactly(12, 15, 40);
  }

  @Test
  void indexesOfAnEntryAreLimited() {
    for (int i = 0; i < 1_000; i++) {
      errors.add(i, Reason.NOT_JSON, "nope");
    }
    FoldedErrors.Entry only = errors.entries().iterator().next();
    assertThat(only.count()).isEqualTo(1_000);
    assertThat(only.indexes()).hasSize(100).startsWith(0, 1, 2).endsWith(99);
  }

  @Test
  void furtherReasonsOfAKindShareAnEntry() {
    for (int i = 0; i < 500; i++) {
      errors.add(i, Reason.TIME_UNREADABLE, "time: not a time: " + i);
    }
    assertThat(errors.entries()).hasSize(FoldedErrors.TEXTS_OF_KIND_MAX + 1);
    assertThat(errors.entries())
        .last()
        .satisfies(
            entry -> {
              assertThat(entry.reason()).isEqualTo("time: not a time");
              assertThat(entry.count()).isEqualTo(480);
              assertThat(entry.indexes()).startsWith(20, 21);
            });
  }

  @Test
  void entriesAreLimitedAndEveryItemIsCounted() {
    int items = 0;
    for (int i = 0; i < 200; i++) {
      for (Reason kind : Reason.values()) {
        errors.add(items++, kind, kind.text() + " " + i);
      }
    }
    assertThat(errors.entries()).hasSizeLessThanOrEqualTo(FoldedErrors.REASONS_MAX);
    assertThat(counted()).isEqualTo(items);
  }
}
