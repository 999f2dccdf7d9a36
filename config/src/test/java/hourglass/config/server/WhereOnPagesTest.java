package hourglass.config.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.query.where.Where;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.EmbeddedOptions;
import hourglass.store.embedded.EmbeddedStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded store may omit events that an expression does not match, and no others. */
class WhereOnPagesTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final ColumnRange RANGE = ColumnRange.of(HOUR);
  private static final int ROWS = Tier.length(10, 30, 300);
  private static final int COLUMNS = 400;
  private static final int EXPRESSIONS = 8;

  private static final String[] KEYS = {"a", "b", "c", "a.b", "b.c", "a.b.c", "a.a"};
  private static final String[] NAMES = {
    "a", "a.b", "a.b.c", "b.c", "a.a", "a['b']", "a.`b.c`", "b.a.c", "a.b['c']"
  };
  private static final String[] TESTS = {
    "%s == %d",
    "%s != %d",
    "%s > %d",
    "%s in [%d, '7']",
    "%s == '%d'",
    "has(data.a.b) && %s < %d",
    "%s + 1 < %d",
    "!(%s > %d)"
  };

  private final Random random = Seed.random(this);

  @TempDir Path temp;

  @Test
  void everyMatchIsReturned() {
    try (EmbeddedStore store = open()) {
      Mutation plain = row(ROWS, () -> "{\"a\":1}");
      List<Mutation> rows = new ArrayList<>(List.of(plain));
      for (int shard = 0; shard < ROWS; shard++) {
        rows.add(row(shard, payloads()));
      }
      store.write(rows).toCompletableFuture().join();
      Where impossible = Where.compile("data.a == 1 && data.a == 2");
      await().until(() -> returned(store, plain, impossible).isEmpty()); // once it is in a page
      int matching = 0;
      int leftOut = 0;
      for (Mutation row : rows) {
        for (int n = 0; n < EXPRESSIONS; n++) {
          String expression = expression();
          Where where = Where.compile(expression);
          Set<TimeUuid> returned = returned(store, row, where);
          Columns columns = row.columns();
          int matchingRow = 0;
          for (int i = 0; i < columns.size(); i++) {
            boolean matches = where.matches(columns, i, "type", () -> false);
            assertThat(!matches || returned.contains(columns.id(i)))
                .as("%s of %s", expression, new String(columns.payload(i), UTF_8))
                .isTrue();
            matchingRow += matches ? 1 : 0;
          }
          assertThat(counted(store, row, where)).as("%s", expression).isEqualTo(matchingRow);
          matching += matchingRow;
          leftOut += columns.size() - returned.size();
        }
      }
      assertThat(matching).isGreaterThan(ROWS * COLUMNS / 8);
      assertThat(leftOut).isGreaterThan(ROWS * COLUMNS / 8);
    }
  }

  /** Whole numbers that differ are told by their digits, and those beyond 18 digits are not. */
  @Test
  void longNumbersAreFound() {
    try (EmbeddedStore store = open()) {
      List<Mutation> rows = new ArrayList<>();
      List<Long> firsts =
          List.of(
              999_999_999_999_999_000L, 1_234_567_890_123_456_789L, -7_000_000_000_000_000_001L);
      for (int shard = 0; shard < firsts.size(); shard++) {
        long first = firsts.get(shard);
        rows.add(
            row(
                shard,
                () -> "{\"a\":%d}".formatted(first + random.nextLong(1_000_000_000_000_000L))));
      }
      store.write(rows).toCompletableFuture().join();
      Where none = Where.compile("data.a == 5");
      await().until(() -> rows.stream().allMatch(row -> returned(store, row, none).isEmpty()));
      for (Mutation row : rows) {
        for (int i = 0; i < COLUMNS; i += 40) {
          String payload = new String(row.columns().payload(i), UTF_8);
          String number = payload.substring("{\"a\":".length(), payload.length() - 1);
          Where where = Where.compile("data.a == " + number);
          assertThat(returned(store, row, where)).as(payload).contains(row.columns().id(i));
          assertThat(counted(store, row, where)).as(payload).isPositive();
        }
      }
    }
  }

  private EmbeddedStore open() {
    EmbeddedOptions options =
        EmbeddedOptions.builder(temp.resolve("data"))
            .reserveBytes(0L)
            .flushAge(Duration.ofMillis(50))
            .build();
    return EmbeddedStore.open(options, Clock.systemUTC(), new SimpleMeterRegistry());
  }

  private static Set<TimeUuid> returned(EmbeddedStore store, Mutation row, Where where) {
    SliceQuery.Filter filter =
        new SliceQuery.Filter(requireNonNull(where.fields(null, List.of(), List.of())), RANGE);
    SliceQuery query =
        new SliceQuery(row.row(), RANGE, Order.ASCENDING, COLUMNS, Projection.COLUMNS, filter);
    Set<TimeUuid> returned = new HashSet<>();
    boolean more = true;
    while (more) {
      Slice slice = store.slice(query).toCompletableFuture().join();
      for (int i = 0; i < slice.columns().size(); i++) {
        returned.add(slice.columns().id(i));
      }
      more = slice.more();
      query = more ? query.after(slice) : query;
    }
    return returned;
  }

  /** The columns that the store is certain of, and those that match of the others. */
  private static int counted(EmbeddedStore store, Mutation row, Where where) {
    FieldQuery query =
        new FieldQuery(
            CountQuery.all(row.row()), List.of(), where.fields(null, List.of(), List.of()));
    FieldValues values = store.values(query).toCompletableFuture().join();
    int counted = 0;
    for (int i = 0; i < values.size(); i++) {
      counted += values.count(i);
    }
    for (Columns columns : values.whole()) {
      for (int i = 0; i < columns.size(); i++) {
        counted += where.matches(columns, i, "type", () -> false) ? 1 : 0;
      }
    }
    return counted;
  }

  private String expression() {
    String name = "data." + pick(NAMES);
    String first = pick(TESTS).formatted(name, random.nextInt(30));
    return random.nextInt(3) > 0
        ? first
        : first
            + pick(" && ", " || ")
            + pick(TESTS).formatted("data." + pick(NAMES), random.nextInt(9));
  }

  /** Payloads of few shapes. A value may be an object in one payload and none in the next. */
  private Supplier<String> payloads() {
    List<Supplier<String>> shapes = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      shapes.add(object(2));
    }
    return () -> shapes.get(random.nextInt(shapes.size())).get();
  }

  private static Mutation row(int shard, Supplier<String> payloads) {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 64 * COLUMNS);
    for (int i = 0; i < COLUMNS; i++) {
      byte[] payload = payloads.get().getBytes(UTF_8);
      columns.add(HOUR.startTicks() + i, 0, payload, 0, payload.length);
    }
    return new Mutation(new RowKey(HOUR, "type", shard), columns.build());
  }

  private Supplier<String> object(int depth) {
    Map<String, Supplier<String>> members = new LinkedHashMap<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      members.put(pick(KEYS), value(depth));
    }
    return () ->
        members.entrySet().stream()
            .map(member -> '"' + member.getKey() + "\":" + member.getValue().get())
            .collect(Collectors.joining(",", "{", "}"));
  }

  private Supplier<String> value(int depth) {
    int few = 1 + random.nextInt(30);
    return switch (random.nextInt(depth > 0 ? 7 : 3)) {
      case 0, 1 -> () -> Integer.toString(random.nextInt(few));
      case 2 -> () -> "\"" + random.nextInt(few) + "\"";
      case 3 -> {
        Supplier<String> object = object(0);
        yield () -> random.nextInt(3) == 0 ? object.get() : Integer.toString(random.nextInt(few));
      }
      default -> object(depth - 1);
    };
  }

  private String pick(String... of) {
    return of[random.nextInt(of.length)];
  }
}
