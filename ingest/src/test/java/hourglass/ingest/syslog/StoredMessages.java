package hourglass.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import hourglass.ingest.syslog.MessageFramer.Rest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Frames, parses and stores bytes without sockets, and shows what is stored. */
final class StoredMessages {
  static final Instant NOW = Instant.parse("2026-11-26T10:00:00Z");
  static final ConversionLimits LIMITS = new ConversionLimits(1 << 30, 1 << 30, 1 << 20, 64);
  static final int BYTES_MAX = IngestOptions.DEFAULTS.maxEventBytes();

  private static final ItemRules RULES =
      new ItemRules(FieldMapping.NONE, MessageParser.DEFAULT_TYPE, true, null, IdentityRule.NONE);

  private StoredMessages() {}

  /** The messages of the pieces of one connection, as text. */
  static List<String> framed(MessageFramer framer, List<byte[]> pieces) {
    List<String> messages = new ArrayList<>();
    for (byte[] piece : pieces) {
      framer.add(ByteBuffer.wrap(piece));
      drain(framer, Rest.MORE, messages);
    }
    drain(framer, Rest.END, messages);
    return messages;
  }

  static void drain(MessageFramer framer, Rest rest, List<String> messages) {
    while (framer.next(rest)) {
      String cut = framer.isTruncated() ? "..." : "";
      int length = framer.to() - framer.from();
      messages.add(
          new String(framer.bytes(), framer.from(), length, StandardCharsets.ISO_8859_1) + cut);
    }
  }

  /** The events of one message or datagram, received now. */
  static JsonObject parsed(byte[] message, ZoneId zone, Instant now) {
    return parsed(List.of(message), zone, now, IngestOptions.DEFAULTS).get(0);
  }

  /** The events of messages, in their order. */
  static List<JsonObject> parsed(
      List<byte[]> messages, ZoneId zone, Instant now, IngestOptions options) {
    FakeStore store = new FakeStore();
    IngestService service =
        new IngestService(
            store,
            new FixedShards(1, Map.of()),
            PlannerOptions.DEFAULTS,
            new TimeUuidGenerator(Clock.fixed(now, ZoneOffset.UTC)),
            options,
            FairExecutor.over(Runnable::run),
            new SimpleMeterRegistry());
    ConvertedEvents events = new ConvertedEvents(service.inFlight().reservation("test"), 0, LIMITS);
    MessageParser parser = new MessageParser(zone, options.maxEventBytes(), new BareTags());
    parser.now(Ticks.of(now));
    messages.forEach(message -> parser.parse(message, 0, message.length, false, events));
    if (events.size() > 0) {
      Verdicts verdicts =
          service
              .ingest(service.receive(events, RULES), Client.open("test"))
              .toCompletableFuture()
              .join();
      assertThat(verdicts.errors()).isEmpty();
    }
    return of(store, now);
  }

  /** Returns the events in the order of receipt; a time of receipt is null. */
  static List<JsonObject> of(FakeStore store, Instant received) {
    record Named(TimeUuid name, JsonObject event) {}
    List<Named> named = new ArrayList<>();
    store
        .rows()
        .forEach(
            (row, columns) -> {
              for (int i = 0; i < columns.size(); i++) {
                Instant time = Ticks.toInstant(columns.ticks(i));
                named.add(
                    new Named(
                        new TimeUuid(Ticks.UNIX_EPOCH, columns.lsb(i)),
                        new JsonObject()
                            .put("type", row.type())
                            .put("time", time.equals(received) ? null : time.toString())
                            .put("data", new JsonObject(text(columns.payload(i))))));
              }
            });
    return named.stream().sorted(Comparator.comparing(Named::name)).map(Named::event).toList();
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
