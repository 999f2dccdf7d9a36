package hourglass.ingest.stream;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.ingest.decode.ConversionLimits;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.LimitedMemory;
import hourglass.ingest.decode.StreamBatch;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of a batch releases its memory, so it must happen once, and not too early. */
class ClientBatchTest {
  private final AtomicInteger ends = new AtomicInteger();

  private ClientBatch batch(int size) {
    ConversionLimits limits = new ConversionLimits(1 << 20, 1 << 20, 100, 4);
    ConvertedEvents events = new ConvertedEvents(new LimitedMemory(1 << 20), 0, limits);
    for (int i = 0; i < size; i++) {
      events.payload().beginObject().endObject();
      events.add("web", 1, null);
    }
    ItemRules rules = new ItemRules(FieldMapping.NONE, "unknown", true, null, IdentityRule.NONE);
    StreamBatch received = new StreamBatch(events, rules, 1, 0);
    return new ClientBatch(received, Client.open("test"), ends::incrementAndGet);
  }

  @Test
  void aBatchCompletesAfterAllItsParts() {
    List<ClientBatch> halves = batch(5).halves();
    List<ClientBatch> quarters = halves.get(1).halves();
    assertThat(halves).extracting(ClientBatch::size).containsExactly(2, 3);
    assertThat(quarters).extracting(ClientBatch::size).containsExactly(1, 2);
    quarters.get(1).onEnd().run();
    halves.get(0).onEnd().run();
    assertThat(ends).hasValue(0);
    quarters.get(0).onEnd().run();
    assertThat(ends).hasValue(1);
  }
}
