package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.ItemRules;
import hourglass.store.Columns;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/** Pushes bodies straight into an ingest service. */
abstract class IngestFixture {
  static final String AT = "\"time\":\"2026-11-20T08:00:00Z\"";
  static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  final FakeStore store = new FakeStore();
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  IngestOptions options = IngestOptions.DEFAULTS;
  FieldMapping mapping = FieldMapping.DEFAULT;
  int shards = 1;
  PlannerOptions planner = PlannerOptions.DEFAULTS;
  Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
  Executor workers = Runnable::run;
  IngestService service = service();

  IngestService service() {
    return new IngestService(
        store,
        new FixedShards(shards, Map.of()),
        planner,
        new TimeUuidGenerator(clock),
        options,
        FairExecutor.over(workers),
        meters);
  }

  Verdicts push(BodyFormat format, String key, String body) {
    return push(format, key, body.getBytes(StandardCharsets.UTF_8));
  }

  Verdicts push(BodyFormat format, String key, byte[] body) {
    return push(Body.copyOf(body), format, ItemRules.of(mapping), key, Client.open("test")).join();
  }

  Verdicts push(ItemRules rules, String body) {
    return push(rules, null, body);
  }

  Verdicts push(ItemRules rules, String key, String body) {
    Body lines = Body.copyOf(body.getBytes(StandardCharsets.UTF_8));
    return push(lines, BodyFormat.NDJSON, rules, key, Client.open("test")).join();
  }

  CompletableFuture<Verdicts> push(
      Body body, BodyFormat format, ItemRules rules, String key, Client client) {
    PushReport report = new PushReport(rules, false);
    return service
        .ingest(body, format, rules, key, client, report)
        .thenApply(verdicts -> withErrors(verdicts, report))
        .toCompletableFuture();
  }

  /** The verdicts with the errors that the report lists, each on its own. */
  private static Verdicts withErrors(Verdicts verdicts, PushReport report) {
    List<Verdicts.ItemError> errors =
        report.errors().stream()
            .flatMap(
                entry ->
                    IntStream.of(entry.indexes())
                        .mapToObj(index -> new Verdicts.ItemError(index, entry.reason())))
            .sorted(Comparator.comparing(Verdicts.ItemError::index))
            .toList();
    return new Verdicts(
        verdicts.accepted(),
        verdicts.rejected(),
        verdicts.notAllowed(),
        verdicts.untimed(),
        errors);
  }

  Verdicts json(String body) {
    return push(BodyFormat.JSON, null, body);
  }

  Verdicts lines(String body) {
    return push(BodyFormat.NDJSON, null, body);
  }

  List<String> ids() {
    return store.rows().entrySet().stream()
        .flatMap(
            row -> {
              Columns columns = row.getValue();
              return IntStream.range(0, columns.size())
                  .mapToObj(i -> row.getKey() + " " + columns.id(i));
            })
        .toList();
  }

  static String reason(Verdicts verdicts) {
    assertThat(verdicts.accepted()).isZero();
    assertThat(verdicts.errors()).hasSize(1);
    return verdicts.errors().get(0).reason();
  }
}
