package hourglass.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Ticks;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.decode.LimitedMemory;
import hourglass.ingest.syslog.MessageFramer.Rest;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Recorded streams with a few bytes changed: whatever they are, they become bounded events. */
class SyslogMutationsTest {
  private static final int MAX = 4_096;

  /** A byte of a message takes six in JSON at most, beside fields and the padding of events. */
  private static final int GROWTH_MAX = 300;

  private final Random random = Seed.random(this);
  private final List<RecordedStreams> streams = RecordedStreams.all().toList();
  private final MessageParser parser = new MessageParser(ZoneOffset.UTC, MAX, new BareTags());

  @Test
  void mutatedMessagesNeverThrow() {
    parser.now(Ticks.of(StoredMessages.NOW));
    for (int i = Tier.length(2_000, 10_000, 1_000_000); i > 0; i--) {
      RecordedStreams stream = streams.get(random.nextInt(streams.size()));
      byte[] bytes = mutated(stream.bytes());
      MessageFramer framer = MessageFramer.ofStream(MAX);
      LimitedMemory memory = new LimitedMemory(Long.MAX_VALUE);
      ConvertedEvents events = new ConvertedEvents(memory, 0, StoredMessages.LIMITS);
      for (int at = 0; at < bytes.length; ) {
        int next = Math.min(bytes.length, at + 1 + random.nextInt(100));
        framer.add(ByteBuffer.wrap(bytes, at, next - at));
        parse(framer, Rest.MORE, events);
        at = next;
      }
      parse(framer, Rest.END, events);
      parser.parse(bytes, 0, bytes.length, random.nextBoolean(), events);
      assertThat(events.bytes()).isLessThan(14 * bytes.length + GROWTH_MAX * (1 + events.size()));
      assertThat(memory.held()).isLessThan(4L * events.bytes() + 4_096);
    }
  }

  private void parse(MessageFramer framer, Rest rest, ConvertedEvents events) {
    while (framer.next(rest)) {
      parser.parse(framer.bytes(), framer.from(), framer.to(), framer.isTruncated(), events);
    }
  }

  private byte[] mutated(byte[] of) {
    byte[] bytes = of.clone();
    for (int n = 1 + random.nextInt(4); n > 0; n--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) "<>[]\"\\= \n\0:0919-".charAt(random.nextInt(16));
        case 2 -> bytes = Arrays.copyOf(bytes, 1 + at);
        default -> {
          byte[] twice = Arrays.copyOf(bytes, bytes.length + at);
          System.arraycopy(bytes, 0, twice, bytes.length, at);
          bytes = twice;
        }
      }
    }
    return bytes;
  }
}
