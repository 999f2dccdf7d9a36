package hourglass.ingest.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.bucketing.Ticks;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PushReportTest extends IngestFixture {
  private ItemRules rules =
      new ItemRules(FieldMapping.DEFAULT, "events", false, null, IdentityRule.NONE);
  private PushReport report;

  private Verdicts report(BodyFormat format, boolean isTrial, String body) {
    report = new PushReport(rules, isTrial);
    Body sent = Body.copyOf(body.getBytes(UTF_8));
    return service
        .ingest(sent, format, rules, null, Client.open("test"), report)
        .toCompletableFuture()
        .join();
  }

  private String suggested(String event) {
    assertThat(report(BodyFormat.NDJSON, false, event).accepted()).isEqualTo(1);
    PushReport.Advice advice = report.advice();
    if (advice == null) {
      return "";
    }
    advice.parameters().forEach((name, value) -> assertThat(advice.hint()).contains(name + "="));
    assertThat(advice.hint()).doesNotContain("\n");
    return new TreeMap<>(advice.parameters()).toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "{\"date\":\"2026-11-20T08:00:00Z\"}                         ~ {time_field=date}",
        "{\"asctime\":\"2026-11-20 08:00:00,123\"}       ~ {time_field=asctime, time_zone=UTC}",
        "{\"timestamp\":\"2026-11-20 08:00:00\"}                     ~ {time_zone=UTC}",
        "{\"created_at\":1795161600}                                   ~ {time_field=created_at}",
        "{\"published\":\"2026-11-20T08:00:00+01:00\"}               ~ {time_field=published}",
        "{\"a\":{\"date\":1},\"when\":1795161600123}               ~ {time_field=when}",
        "{\"_SOURCE_REALTIME_TIMESTAMP\":\"1795161599000000\",\"__MONOTONIC_TIMESTAMP\":\"1600000000\",\"__REALTIME_TIMESTAMP\":\"1795161600000000\"} ~ {time_field=__REALTIME_TIMESTAMP}",
        "{\"note\":\"2026-11-20T09:00:00Z\",\"date\":\"2026-11-20T08:00:00Z\"} ~ {time_field=date}",
        "{\"user\":1795161600}                                         ~ {}",
        "{\"date\":20261120}                                           ~ {}",
        "{\"date\":\"20 November\"}                                  ~ {}",
        "{\"response_time_ns\":1534567890,\"candidate_id\":1534567890}  ~ {}",
        "{\"cpu_time\":1795161600,\"run_time\":1795161600,\"event_ts\":1795161600} ~ {time_field=event_ts}",
        "{\"expires_at\":\"2026-11-20T08:00:00Z\"}                   ~ {}",
        "{\"start_time\":\"2036-11-20T08:00:00Z\"}                   ~ {}",
        "{\"n\":1,\"a\":[1],\"b\":{},\"c\":null,\"d\":true}    ~ {}",
        "{\"time\":\"2026-11-20T08:00:00Z\",\"date\":1795161600}   ~ ``",
      })
  void aFieldThatMayContainTheTimeIsSuggested(String event, String suggested) {
    assertThat(suggested(event)).isEqualTo(suggested);
  }

  @Test
  void parametersInUseAreNotSuggested() {
    rules =
        new ItemRules(
            FieldMapping.of(name -> name.equals("time_field") ? "at" : null),
            "events",
            false,
            ZoneOffset.UTC,
            IdentityRule.NONE);
    assertThat(suggested("{\"timestamp\":\"2026-11-20 08:00:00\"}"))
        .isEqualTo("{time_field=timestamp}");
  }

  @Test
  void reportedTimesAreThoseOfAcceptedEvents() {
    Verdicts verdicts =
        report(
            BodyFormat.NDJSON,
            false,
            "{\"ts\":1795161600}\n{\"ts\":1795158000}\n{\"time\":1}\n{\"timestamp\":1795161601}\n");
    assertThat(verdicts).isEqualTo(new Verdicts(3, 1, 0, List.of()));
    assertThat(Ticks.text(report.firstTicks())).isEqualTo("2026-11-20T07:00:00.0000000Z");
    assertThat(Ticks.text(report.lastTicks())).isEqualTo("2026-11-20T08:00:01.0000000Z");
    assertThat(report.timeFields()).isEqualTo(Map.of("ts", 2, "timestamp", 1));
  }

  @Test
  void aRefusedArrayReportsNoTimes() {
    report(BodyFormat.JSON, false, "[{\"ts\":1795161600},{\"date\":\"2026-11-20T08:00:00Z\"}");
    assertThat(report.timeFields()).isEmpty();
    assertThat(report.advice()).isNull();
    assertThat(report.errors()).hasSize(1);
  }

  @Test
  void aLargeDryRunIsReportedAndStoresNothing() {
    String body = ("{\"ts\":1795161600,\"p\":\"" + "x".repeat(990) + "\"}\n").repeat(20_000);
    Verdicts verdicts = report(BodyFormat.NDJSON, true, body);
    assertThat(verdicts.accepted()).isEqualTo(20_000);
    assertThat(report.timeFields()).isEqualTo(Map.of("ts", 20_000));
    assertThat(store.writes()).isZero();
    assertThat(service.inFlight().used()).isZero();
    assertThat(meters.get("hourglass.ingest.events").tag("verdict", "accepted").counter().count())
        .isZero();
  }
}
