package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Retention;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OwnRowsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);

  private final TestClock clock = new TestClock(HOUR.start().plusSeconds(60));
  private final List<WriterRecord> published = new ArrayList<>();
  private final List<CompletableFuture<Void>> answers = new ArrayList<>();
  private final OwnRows rows = rows(Duration.ZERO);
  private final OwnRow row = rows.of(ROW, 0, RetentionClass.of(Retention.FOREVER));

  private OwnRows rows(Duration openFor) {
    return new OwnRows(
        clock,
        Duration.ofSeconds(5),
        openFor,
        (row, record) -> {
          published.add(record);
          answers.add(new CompletableFuture<>());
          return answers.get(answers.size() - 1);
        });
  }

  private static Columns columns(int count) {
    ColumnsBuilder columns = new ColumnsBuilder(count, 2 * count);
    for (int i = 0; i < count; i++) {
      TimeUuid name = TimeUuid.first(HOUR.startTicks() + i);
      columns.add(name.ticks(), name.lsb(), new byte[] {'{', '}'}, 0, 2);
    }
    return columns.build();
  }

  @Test
  void aRowIsInTheDirectoryBeforeItHasColumns() {
    CompletableFuture<Boolean> added = rows.beforeWrite(row, columns(3));
    assertThat(added).isNotDone();
    assertThat(published).hasSize(1);
    assertThat(published.get(0).open()).isTrue();
    assertThat(published.get(0).columns()).isGreaterThanOrEqualTo(3);
    answers.get(0).complete(null);
    assertThat(added).isCompletedWithValue(true);
    assertThat(rows.afterWrite(row, columns(3), true)).isCompleted();
    assertThat(rows.beforeWrite(row, columns(3))).isCompletedWithValue(false);
    assertThat(rows.afterWrite(row, columns(3), false)).isCompleted();
    assertThat(published).as("within the bounds that were published").hasSize(1);
  }

  @Test
  void publishedRecordsStateHowFarTheyRunAhead() {
    OwnRow busy = rows.of(ROW, 0, RetentionClass.of(Retention.FOREVER));
    Columns some = columns(37);
    for (int i = 1; i <= 100; i++) {
      busy.add(some, false);
      busy.publish((to, record) -> published(record), true, clock.millis());
      WriterRecord bound = published.get(i - 1);
      assertThat(bound.columns() - bound.columnsAhead()).isEqualTo(37L * i);
    }
    busy.publish((to, record) -> published(record), false, clock.millis());
    assertThat(published.get(100).columnsAhead()).as("all is published").isZero();
  }

  private CompletableFuture<Void> published(WriterRecord record) {
    published.add(record);
    return CompletableFuture.completedFuture(null);
  }

  @Test
  void aLateWriteIsPublishedBeforeAndAfterItsColumns() {
    clock.set(HOUR.end().plusSeconds(1));
    CompletableFuture<Boolean> added = rows.beforeWrite(row, columns(3));
    assertThat(added).as("its column must wait").isNotDone();
    answers.get(0).complete(null);
    CompletableFuture<Void> included = rows.afterWrite(row, columns(3), true);
    assertThat(included).as("so must its acknowledgement").isNotDone();
    answers.get(1).complete(null);
    assertThat(included).isCompleted();
    assertThat(published).noneMatch(WriterRecord::open).allMatch(record -> record.columns() == 3);
    assertThat(published.get(1).mark()).isGreaterThan(published.get(0).mark());
  }

  @Test
  void aRecentOpenRecordCoversLateWrites() {
    clock.set(HOUR.end().plusSeconds(1));
    OwnRows patient = rows(Duration.ofMinutes(5));
    OwnRow late = patient.of(ROW, 0, RetentionClass.of(Retention.FOREVER));
    assertThat(patient.beforeWrite(late, columns(3))).isNotDone();
    assertThat(published.get(0).open()).isTrue();
    answers.get(0).complete(null);
    assertThat(patient.afterWrite(late, columns(3), true)).isCompleted();
    clock.set(HOUR.end().plusSeconds(300));
    assertThat(patient.beforeWrite(late, columns(3))).isCompletedWithValue(false);
    assertThat(published).hasSize(1);
    clock.set(HOUR.end().plusSeconds(301));
    assertThat(patient.afterWrite(late, columns(3), false)).as("now too old").isNotDone();
    assertThat(published).hasSize(2);
    answers.get(1).complete(null);
    clock.set(HOUR.end().plusSeconds(602));
    assertThat(patient.beforeWrite(late, columns(3))).as("too old again").isNotDone();
    assertThat(published).hasSize(3);
  }

  @Test
  void failedDirectoryWriteFailsAndIsRetried() {
    CompletableFuture<Boolean> added = rows.beforeWrite(row, columns(3));
    answers.get(0).completeExceptionally(new IllegalStateException("no node"));
    assertThat(added).isCompletedExceptionally();
    assertThat(rows.inexactRows()).isEqualTo(1);
    rows.publishDue(); // it never grew since the last check
    rows.publishDue();
    assertThat(published.size()).isGreaterThan(1);
  }
}
