package hourglass.ingest.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Identity;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.RecordBatch;
import hourglass.ingest.service.Verdicts.ItemError;
import hourglass.store.Columns;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordBatchTest extends IngestFixture {
  private static final Instant TIME = Instant.parse("2026-11-20T08:00:00.123Z");

  private final RecordBatch.Arena arena = new RecordBatch.Arena(1, 1);
  private RecordBatch batch = new RecordBatch("orders", 3, mapping, arena);

  private RecordBatchTest add(long offset, String value) {
    batch.add(offset, TIME.toEpochMilli(), bytes(value), false);
    return this;
  }

  private static ByteBuffer bytes(String value) {
    return ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
  }

  private Verdicts ingest() {
    return service.ingest(batch).toCompletableFuture().join();
  }

  private Columns only() {
    assertThat(store.rows()).hasSize(1);
    return store.rows().values().iterator().next();
  }

  @Test
  void topicTimeAndOffsetReplaceMissingFields() {
    add(7, "{\"n\":1}");
    assertThat(ingest()).isEqualTo(new Verdicts(1, 0, 1, List.of()));
    assertThat(store.rows().keySet().iterator().next().type()).isEqualTo("orders");
    assertThat(only().id(0))
        .isEqualTo(
            new TimeUuid(
                Ticks.of(TIME), Identity.offset(new Identity().ofPartition("orders", 3), 7)));
    assertThat(new String(only().payload(0), StandardCharsets.UTF_8)).isEqualTo("{\"n\":1}");
  }

  @Test
  void otherTimeFieldsPrecedeTheRecordTime() {
    add(1, "{\"timestamp\":\"2026-11-20T07:00:00Z\"}");
    add(2, "{\"ts\":\"later\",\"eventTime\":1795158000123}");
    add(3, "{\"timestamp\":\"later\"}");
    assertThat(ingest()).isEqualTo(new Verdicts(3, 0, 1, List.of()));
    assertThat(store.rows().keySet())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("20112607|orders|0", "20112608|orders|0");
  }

  @Test
  void recordFieldsOverrideItsPlace() {
    add(7, "{\"type\":\"paid\"," + AT + ",\"id\":\"a\"}");
    ingest();
    Columns one = only();
    store.clear();
    service = service();
    push(BodyFormat.JSON, null, "{\"type\":\"paid\"," + AT + ",\"id\":\"a\"}");
    assertThat(only().id(0)).as("the same event over HTTP").isEqualTo(one.id(0));
  }

  @Test
  void recordReadAgainMakesTheSameEvent() {
    add(7, "{\"n\":1}").add(8, "{\"n\":1}").add(9, "{\"time\":null,\"id\":null}");
    RecordBatch again = batch;
    for (int i = 0; i < 3; i++) {
      service.ingest(again).toCompletableFuture().join();
      assertThat(only().size()).isEqualTo(3);
    }
  }

  @Test
  void eachRecordIsJudgedAlone() {
    add(1, "{\"n\":1}")
        .add(2, "")
        .add(3, "{\"n\":")
        .add(4, " {\"n\":2} \r\n")
        .add(5, "{\"n\":3} x")
        .add(6, "[{\"n\":4}]")
        .add(7, "\ufeff{\"n\":5}")
        .add(8, "{\"time\":\"yesterday\"}")
        .add(9, "{\"type\":null}")
        .add(10, "{\"time\":\"2026-11-20 08:00:00\"}");
    batch.addUnreadable(11, -1, bytes("?"), "header ce_id: not UTF-8");
    Verdicts verdicts = ingest();
    assertThat(verdicts.accepted()).isEqualTo(3);
    assertThat(verdicts.errors())
        .containsExactly(
            new ItemError(1, "event: not JSON at byte 0 of it: ends too early, want a value"),
            new ItemError(2, "event: not JSON at byte 5 of it: ends too early, want a value"),
            new ItemError(4, "event: not JSON at byte 8 of it: want nothing more"),
            new ItemError(5, "event: not a JSON object: [{\"n\":4}]"),
            new ItemError(7, "time: not a time: \"yesterday\""),
            new ItemError(8, "type: not a string: null (field \"type\")"),
            new ItemError(
                9,
                "time: not a time: \"2026-11-20 08:00:00\"; it has no zone; want one, such as Z or"
                    + " +01:00"),
            new ItemError(10, "header ce_id: not UTF-8"));
    assertThat(service.rejects().stream().mapToLong(Rejects::count).sum()).isEqualTo(8);
  }

  @Test
  void aReusedArenaContainsNoEarlierRecords() {
    add(1, "}".repeat(30)).add(2, "}".repeat(30));
    ingest();
    batch = new RecordBatch("orders", 3, mapping, arena);
    add(3, "{\"n\":3").add(4, "{\"n\":4}").add(5, "{\"n\":5");
    assertThat(ingest().errors()).extracting(ItemError::index).containsExactly(0, 2);
    assertThat(store.payloads()).containsExactly("{\"n\":4}");
  }

  @Test
  void recordRejectionsAreListedInFull() {
    for (int i = 0; i < 500; i++) {
      add(i, "no");
    }
    assertThat(ingest().errors()).hasSize(500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-1 | time: not a time: none, nor has the record one",
        "0 | time: the record's, 1970-01-01T00:00:00.0000000Z is outside 2000-2099",
        "9223372036854775807 | time: the record's, 9999-12-31T23:59:59.9990000Z is outside"
            + " 2000-2099",
      })
  void recordTimeMustBeValid(long millis, String problem) {
    batch.add(1, millis, bytes("{}"), false);
    assertThat(ingest().errors()).containsExactly(new ItemError(0, problem));
  }

  @Test
  void latenessCountsFromTheRecordTime() {
    IngestOptions d = options;
    options =
        new IngestOptions(
            Duration.ofMinutes(5),
            d.acceptEarly(),
            d.maxEventBytes(),
            d.maxBodyBytes(),
            d.maxInFlightBytes(),
            d.maxNesting(),
            d.errorsListedMax(),
            d.retention());
    service = service();
    add(1, "{\"time\":\"2026-11-20T07:56:00Z\"}"); // read two hours after it was sent
    add(2, "{\"time\":\"2026-11-20T07:54:00Z\"}");
    Verdicts verdicts = ingest();
    assertThat(verdicts.accepted()).isEqualTo(1);
    assertThat(verdicts.errors()).extracting(ItemError::index).containsExactly(1);
  }

  @Test
  void aBatchMayMixCloudEventsWithOthers() {
    String event = "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/s\",\"type\":\"t\"%s}";
    add(1, "{\"n\":1}");
    batch.add(2, TIME.toEpochMilli(), bytes(event.formatted("")), true);
    add(3, "{\"n\":2}");
    batch.add(4, TIME.toEpochMilli(), bytes("{\"type\":\"t\"}"), true);
    Verdicts verdicts = ingest();
    assertThat(verdicts.accepted()).isEqualTo(3);
    assertThat(verdicts.errors())
        .containsExactly(new ItemError(3, "cloudevent: specversion: \"\", want \"1.0\""));
    assertThat(store.rows().keySet()).extracting("type").containsExactlyInAnyOrder("orders", "t");
  }

  @Test
  void bufferPositionDoesNotChange() {
    ByteBuffer value = bytes("xx{\"n\":1}").position(2).slice();
    batch.add(1, TIME.toEpochMilli(), value, false);
    assertThat(value.remaining()).isEqualTo(7);
    assertThat(ingest().accepted()).isEqualTo(1);
  }
}
