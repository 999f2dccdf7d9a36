package hourglass.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WholeInflaterTest {
  /** A member may end at any place of the buffer. */
  @Test
  void readsAllMembersWithBuffersOfAnySize() throws IOException {
    Random random = new Random(5);
    for (int buffer = 2; buffer < 200; buffer++) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      ByteArrayOutputStream want = new ByteArrayOutputStream();
      for (int member = 0; member < 1 + random.nextInt(4); member++) {
        byte[] plain = new byte[random.nextInt(3) == 0 ? 0 : random.nextInt(100)];
        random.nextBytes(plain);
        want.writeBytes(plain);
        packed.writeBytes(gzip(plain));
      }
      assertThat(gunzip(packed.toByteArray(), buffer)).isEqualTo(want.toByteArray());
    }
  }

  @Test
  void failsIfAMemberIsTruncatedAnywhere() throws IOException {
    byte[] one = gzip("one".getBytes(StandardCharsets.UTF_8));
    byte[] two = join(one, one);
    for (int length = 0; length < two.length; length++) {
      byte[] cut = Arrays.copyOf(two, length);
      if (length != one.length) {
        assertThatThrownBy(() -> gunzip(cut, 512))
            .as("%d bytes", length)
            .isInstanceOf(IOException.class);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"00", "0a", "1f8b", "1f8b09", "7b7d0a7b7d0a7b7d0a7b7d0a7b7d0a7b7d0a7b7d0a"})
  void failsIfOtherBytesFollow(String hex) throws IOException {
    byte[] plain = "one".getBytes(StandardCharsets.UTF_8);
    byte[] junk = HexFormat.of().parseHex(hex);
    assertThatThrownBy(() -> gunzip(join(gzip(plain), junk), 512)).isInstanceOf(IOException.class);
    for (boolean bare : new boolean[] {false, true}) {
      assertThat(inflate(deflate(plain, bare))).isEqualTo(plain);
      assertThatThrownBy(() -> inflate(join(deflate(plain, bare), junk)))
          .hasMessage("bytes follow its end");
    }
  }

  @Test
  void failsIfABitOfTheTrailerIsWrong() throws IOException {
    byte[] packed = gzip("one".getBytes(StandardCharsets.UTF_8));
    for (int bit = 1; bit <= 64; bit++) {
      byte[] wrong = packed.clone();
      wrong[packed.length - (bit + 7) / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> gunzip(wrong, 512)).hasMessage("its checksum is wrong");
    }
  }

  /** The header contains an extra field, a name, a comment and a checksum. */
  @Test
  void readsAHeaderWithAllOptionalParts() throws IOException {
    byte[] plain = "one".getBytes(StandardCharsets.UTF_8);
    byte[] head = HexFormat.of().parseHex("1f8b081e000000000003" + "0200abcd" + "6e00" + "6300");
    CRC32 sum = new CRC32();
    sum.update(head);
    byte[] headSum = {(byte) sum.getValue(), (byte) (sum.getValue() >> 8)};
    byte[] packed = gzip(plain);
    byte[] rest = Arrays.copyOfRange(packed, 10, packed.length);
    assertThat(gunzip(join(head, join(headSum, rest)), 512)).isEqualTo(plain);
    headSum[0]++;
    assertThatThrownBy(() -> gunzip(join(head, join(headSum, rest)), 512))
        .hasMessage("the checksum of its header is wrong");
  }

  private static byte[] gunzip(byte[] packed, int bufferBytes) throws IOException {
    try (WholeInflater in = WholeInflater.gzip(new ByteArrayInputStream(packed), bufferBytes)) {
      return in.readAllBytes();
    }
  }

  private static byte[] inflate(byte[] packed) throws IOException {
    try (WholeInflater in = WholeInflater.deflate(new ByteArrayInputStream(packed), 512)) {
      return in.readAllBytes();
    }
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  private static byte[] deflate(byte[] plain, boolean bare) throws IOException {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, bare);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
      out.write(plain);
    } finally {
      deflater.end();
    }
    return packed.toByteArray();
  }

  private static byte[] join(byte[] left, byte[] right) {
    byte[] both = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, both, left.length, right.length);
    return both;
  }
}
