package hourglass.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.syslog.SyslogAddress.Transport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Step by step: tasks run when the test lets them. */
class MessageFlowTest {
  private final FakeStore fake = new FakeStore();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Clock clock = Clock.fixed(StoredMessages.NOW, ZoneOffset.UTC);

  private final MessageStore store =
      new MessageStore(
          new IngestService(
              fake,
              new FixedShards(1, Map.of()),
              PlannerOptions.DEFAULTS,
              new TimeUuidGenerator(clock),
              IngestOptions.DEFAULTS,
              FairExecutor.over(Runnable::run),
              meters),
          tasks::add,
          (millis, task) -> tasks.add(task),
          clock,
          () -> new MessageParser(ZoneOffset.UTC, StoredMessages.BYTES_MAX, new BareTags()),
          meters);

  private MessageFlow flow() {
    return new MessageFlow(store, Transport.TCP, Client.open("test"), () -> {}, () -> {});
  }

  private boolean add(MessageFlow flow, String text) {
    boolean mayRead = flow.add(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    work();
    return mayRead;
  }

  private void work() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  private HeldMemory.Holding fillMemory() {
    HeldMemory.Holding others = store.bytes.holding();
    for (int bytes = 1 << 20; bytes > 0; bytes /= 2) {
      while (others.add(bytes)) {}
    }
    return others;
  }

  @Test
  void memoryIsReservedBeforeReading() {
    MessageFlow flow = flow();
    assertThat(flow.begin()).isTrue();
    assertThat(store.bytes.used()).isEqualTo(MessageFlow.CHUNK_BYTES_MAX);
    HeldMemory.Holding others = fillMemory();
    long full = store.bytes.used();
    assertThat(flow().begin()).isFalse();
    assertThat(add(flow, "x".repeat(MessageFlow.CHUNK_BYTES_MAX))).as("no more fits").isFalse();
    assertThat(store.bytes.used()).isEqualTo(full);
    others.release();
    assertThat(add(flow, "x")).isTrue();
    assertThat(store.bytes.used()).isGreaterThan(3L * MessageFlow.CHUNK_BYTES_MAX);
    flow.end();
    work();
    assertThat(store.bytes.used()).isZero();
  }

  /** While memory is short, a sender inside a message waits for the store. */
  @Test
  void aSourcePausedForMemoryIsNotStuck() {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    fake.answer(answer);
    MessageFlow other = flow();
    add(other, "whole\n");
    MessageFlow flow = flow();
    assertThat(flow.begin()).isTrue();
    assertThat(flow.isStuck(true)).isFalse();
    assertThat(add(flow, "begun")).isTrue();
    assertThat(flow.isStuck(true)).isTrue();
    fillMemory();
    assertThat(add(flow, " and " + "x".repeat(100_000))).isFalse();
    assertThat(flow.isStuck(false)).isFalse();
    answer.complete(null);
    assertThat(flow.isStuck(false)).as("nothing would free memory").isTrue();
  }
}
