package hourglass.bucketing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class IdentityTest {
  private static final byte[] NONE = {};
  private static final byte[] BODY_DIGEST = Identity.newSha256().digest("[{}]".getBytes(UTF_8));
  private final Identity identity = new Identity();

  /** Stored names depend on these; a change would make a retry another event. */
  @Test
  void identitiesMatchRecordedValues() {
    assertThat(known())
        .containsExactly(
            "00000000-0000-1000-932d-cedc09852e59",
            "00000000-0000-1000-9c7c-047c17167fab",
            "00000000-0000-1000-a857-7b6288131329",
            "00000000-0000-1000-a857-7b62881327b0",
            "00000000-0000-1000-b916-1bd0e0257d20");
  }

  private static List<String> known() {
    Identity identity = new Identity();
    long source = identity.ofRequest("key-1", BODY_DIGEST);
    return LongStream.of(
            ofId(identity, "checkout", "/shop", "A234-1234-1234"),
            ofId(identity, "checkout", "", "7"),
            Identity.position(source, 0),
            Identity.position(source, 4_999),
            record(identity, "orders", 3, 1_234_567L))
        .mapToObj(lsb -> new TimeUuid(0, lsb).toString())
        .toList();
  }

  @Test
  void identitiesAreEqualInEveryProcess() throws Exception {
    assertThat(AnotherJvm.start(IdentitiesOfAnotherJvm.class).output()).isEqualTo(known());
  }

  static final class IdentitiesOfAnotherJvm {
    public static void main(String[] args) {
      known().forEach(System.out::println);
    }
  }

  @Test
  void aRepeatHasTheSameIdentity() {
    long first = ofId(identity, "checkout", "/shop", "7");
    assertThat(record(identity, "orders", 3, 7)).isNotEqualTo(first);
    assertThat(ofId(identity, "checkout", "/shop", "7")).isEqualTo(first);
    assertThat(ofId(new Identity(), "checkout", "/shop", "7")).isEqualTo(first);
    byte[] inside = "{\"id\":\"7\"}".getBytes(UTF_8);
    assertThat(identity.ofId("checkout".getBytes(UTF_8), "/shop".getBytes(UTF_8), inside, 7, 8))
        .isEqualTo(first);
  }

  @Test
  void everyPartChangesTheIdentity() {
    assertDistinct(
        LongStream.of(
            ofId(identity, "a", "b", "c"),
            ofId(identity, "x", "b", "c"),
            ofId(identity, "a", "x", "c"),
            ofId(identity, "a", "b", "x"),
            record(identity, "t", 1, 1),
            record(identity, "u", 1, 1),
            record(identity, "t", 2, 1),
            record(identity, "t", 1, 2),
            record(identity, "t", 1, 1L << 32),
            position("k", BODY_DIGEST, 0),
            position("k", BODY_DIGEST, 1),
            position("x", BODY_DIGEST, 0),
            position("k", new byte[32], 0)));
  }

  private long position(String key, byte[] bodyDigest, int position) {
    return Identity.position(identity.ofRequest(key, bodyDigest), position);
  }

  @Test
  void contentOfAnyLengthIsHashedInOrder() {
    byte[] type = "shop".getBytes(UTF_8);
    byte[] around = new byte[2_100];
    new Random(1).nextBytes(around);
    for (int to = 1; to < around.length; to += to < 900 || to > 1_100 ? 97 : 1) {
      ByteBuffer all = ByteBuffer.allocate(3 * Integer.BYTES + Long.BYTES + 1 + 4 + to - 1);
      all.put((byte) 4).putInt(type.length).putInt(7).putInt(to - 1).putLong(123_456_789L);
      all.put(type).put(around, 1, to - 1);
      long hash = ByteBuffer.wrap(Identity.newSha256().digest(all.array())).getLong();
      assertThat(identity.ofContent(type, 123_456_789L, 7, around, 1, to))
          .isEqualTo(TimeUuid.lsb(TimeUuid.HASHED, hash & TimeUuid.VALUE_MASK));
    }
  }

  @Test
  void boundariesBetweenPartsChangeTheIdentity() {
    assertDistinct(
        LongStream.of(
            ofId(identity, "ab", "", "c"),
            ofId(identity, "a", "b", "c"),
            ofId(identity, "a", "", "bc"),
            ofId(identity, "abc", "", ""),
            ofId(identity, "", "abc", ""),
            ofId(identity, "", "", "abc"),
            ofId(identity, "a", "bc", "")));
  }

  @Test
  void kindsOfIdentityNeverCollide() {
    String key = "a".repeat(3);
    byte[] digest = "b".repeat(32).getBytes(UTF_8);
    assertDistinct(
        LongStream.of(
            Identity.position(identity.ofRequest(key, digest), 0),
            ofId(identity, key, "b".repeat(32), ""),
            ofId(identity, key + "b".repeat(32), "", ""),
            record(identity, key + "b".repeat(32), 3, 0)));
  }

  @Test
  void identitiesNeverCollideWithGeneratedNames() {
    TimeUuidGenerator generator = new TimeUuidGenerator(Clock.systemUTC());
    for (int i = 0; i < 100_000; i++) {
      assertTrue(tag(generator.nextLsb()) == 0b1000);
      assertTrue(tag(ofId(identity, "t", "", "" + i)) == 0b1001);
      assertTrue(tag(Identity.position(generator.nextLsb() * i, i)) == 0b1010);
      assertTrue(tag(record(identity, "t", 0, i)) == 0b1011);
    }
    assertThat(tag(TimeUuidGenerator.lsb(-1))).isEqualTo(0b1000);
    assertThat(tag(TimeUuidGenerator.lsb(Long.MIN_VALUE))).isEqualTo(0b1000);
  }

  /** The variant and the kind: the first four bits of the lower half. */
  private static int tag(long lsb) {
    return (int) (lsb >>> 60);
  }

  @Test
  void positionsOfARequestNeverCollide() {
    for (long source : new long[] {0, -1, (1L << 60) - 1, identity.ofRequest("k", BODY_DIGEST)}) {
      assertDistinct(LongStream.range(0, 1_000_000).map(i -> Identity.position(source, (int) i)));
    }
  }

  @Test
  void aMillionIdsOfOneTickDiffer() {
    byte[] type = "checkout".getBytes(UTF_8);
    assertDistinct(
        LongStream.range(0, 1_000_000)
            .map(
                i -> {
                  byte[] id = Long.toString(i).getBytes(UTF_8);
                  return identity.ofId(type, NONE, id, 0, id.length);
                }));
  }

  @Test
  void recordsOfOneTickDiffer() {
    assertDistinct(LongStream.range(0, 200_000).map(i -> record(identity, "t", 0, i)));
  }

  private static long record(Identity identity, String topic, int partition, long offset) {
    return Identity.offset(identity.ofPartition(topic, partition), offset);
  }

  private static long ofId(Identity identity, String type, String source, String id) {
    byte[] bytes = id.getBytes(UTF_8);
    return identity.ofId(type.getBytes(UTF_8), source.getBytes(UTF_8), bytes, 0, bytes.length);
  }

  private static void assertDistinct(LongStream lsbs) {
    long[] sorted = lsbs.sorted().toArray();
    for (int i = 1; i < sorted.length; i++) {
      assertTrue(sorted[i - 1] != sorted[i], "two of " + sorted.length + " are one");
    }
  }
}
