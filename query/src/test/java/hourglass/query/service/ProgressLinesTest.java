package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.EventCursor;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.testkit.OracleStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProgressLinesTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final int HOURS = 3;
  private static final int ROWS = 2;
  private static final int COLUMNS = 200;
  private static final Pattern LINE =
      Pattern.compile("\\{\"progress\":\\{\"rows_asked\":(\\d+),\"rows_answered\":(\\d+)}}");

  private final OracleStore store = new OracleStore();
  private final QueryService service =
      new QueryService(
          store, QueryOptions.builder().sliceColumns(20).build(), Clock.systemUTC(), Runnable::run);
  private long millis;

  ProgressLinesTest() {
    for (int hour = 0; hour < HOURS; hour++) {
      for (int row = 0; row < ROWS; row++) {
        ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 0);
        for (int i = 0; i < COLUMNS; i++) {
          long ticks = HOUR.startTicks() + hour * Ticks.PER_HOUR + i * Ticks.PER_SECOND;
          TimeUuid name = TimeUuid.first(ticks);
          byte[] payload = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
          columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
        }
        RowKey key =
            new RowKey(Hour.ofTicks(HOUR.startTicks() + hour * Ticks.PER_HOUR), "t" + row, 0);
        store.write(List.of(new Mutation(key, columns.build()))).toCompletableFuture().join();
      }
    }
  }

  /** A clock that goes on by so much whenever it is read. */
  private Clock clock(long stepMillis) {
    InstantSource source = () -> Instant.ofEpochMilli(millis += stepMillis);
    return source.withZone(ZoneOffset.UTC);
  }

  private static EventQuery query(Order order, long limit, EventCursor after) {
    return new EventQuery(Selection.ALL, order, limit, after);
  }

  private Answer told(EventQuery query, long stepMillis, int chunkBytes) {
    return Answer.read(service.eventsWithProgress(query, clock(stepMillis)), chunkBytes);
  }

  private static List<Matcher> progress(Answer answer) {
    return answer.lines().stream().map(LINE::matcher).filter(Matcher::matches).toList();
  }

  private static LongStream answered(Answer answer) {
    return progress(answer).stream().mapToLong(line -> Long.parseLong(line.group(2)));
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void progressDoesNotChangeTheOtherLines(Order order) {
    EventQuery query = query(order, EventQuery.ALL, null);
    String plain =
        Answer.read(service.events(query, EventFormat.NDJSON, CsvTable.STANDARD), 256).body();
    Answer told = told(query, 300, 256);
    StringBuilder events = new StringBuilder();
    told.lines().stream()
        .filter(line -> !LINE.matcher(line).matches())
        .forEach(line -> events.append(line).append('\n'));
    assertThat(events).hasToString(plain);
    assertThat(plain).doesNotContain("progress");
    assertThat(progress(told)).hasSizeGreaterThan(HOURS * ROWS);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void progressEndsAtTheRowsOfTheWholeQuery(Order order) {
    Answer told = told(query(order, EventQuery.ALL, null), 300, 256);
    assertThat(progress(told)).allMatch(line -> line.group(1).equals("" + HOURS * ROWS));
    assertThat(answered(told).toArray()).isSorted().startsWith(0).endsWith(HOURS * ROWS);
    assertThat(told.lines().get(told.lines().size() - 1)).matches(LINE);
    assertThat(told.facts().rowsAsked()).isEqualTo(HOURS * ROWS);
  }

  /** Otherwise an hour would have no progress before its end. */
  @Test
  void partlyReadRowsCountTowardsProgress() {
    Selection hour = new Selection(new TreeSet<>(), TimeRange.of(HOUR), "");
    Answer told = told(new EventQuery(hour, Order.ASCENDING, EventQuery.ALL, null), 300, 256);
    int half = told.lines().size() / 2;
    assertThat(answered(told).toArray()).containsExactly(0, 1, 2);
    String one = "{\"progress\":{\"rows_asked\":2,\"rows_answered\":1}}";
    assertThat(told.lines().indexOf(one)).isBetween(half - 20, half + 20);
  }

  @Test
  void progressHasAtMostFourLinesASecond() {
    Answer told = told(query(Order.ASCENDING, EventQuery.ALL, null), 1, 256);
    assertThat(progress(told)).hasSizeBetween(2, (int) (millis / 250) + 2);
  }

  @Test
  void aStoppedClockStillGetsTheFirstAndLastLine() {
    Answer told = told(query(Order.ASCENDING, EventQuery.ALL, null), 0, 1 << 16);
    assertThat(answered(told).toArray()).containsExactly(0, HOURS * ROWS);
    assertThat(told.lines().get(0)).matches(LINE);
  }

  @Test
  void aLaterPageCountsTheHoursThatItReaches() {
    EventQuery twoHours = query(Order.DESCENDING, 2 * ROWS * COLUMNS, null);
    String cursor = told(twoHours, 0, 1 << 16).facts().cursor();
    EventCursor after = EventCursor.parse(cursor, Selection.ALL, Order.DESCENDING, false);
    Answer rest = told(query(Order.DESCENDING, EventQuery.ALL, after), 0, 1 << 16);
    assertThat(progress(rest)).allMatch(line -> line.group(1).equals("" + 2 * ROWS));
    assertThat(rest.facts().rowsAsked()).isEqualTo(2 * ROWS);
  }

  @Test
  void anEmptyAnswerHasNoLine() {
    TimeRange empty = new TimeRange(0, 0);
    Selection nothing = new Selection(new TreeSet<>(), empty, "");
    EventQuery query = new EventQuery(nothing, Order.ASCENDING, EventQuery.ALL, null);
    assertThat(told(query, 300, 256).body()).isEmpty();
  }
}
