package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Recorded requests as broken or hostile clients could change them. HTTP itself stays valid. */
final class RequestMutations {
  private static final int BODY_BYTES_MAX = 1 << 18;
  private static final int DEPTH_MAX = 5_000;

  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-1",
          "4294967296",
          "9223372036854775808",
          "-9223372036854775809",
          "1e999",
          "1e-999",
          "1e999999999",
          "18446744073709551616",
          "9".repeat(2_000),
          "0." + "0".repeat(500) + "1");

  private static final List<byte[]> TOKENS =
      List.of(
          bytes("\0"),
          bytes("\""),
          bytes("\\ud800"),
          bytes("\\u0000"),
          bytes("\r\n"),
          bytes("\n\n"),
          bytes("\ufeff"),
          bytes("null"),
          bytes("{}"),
          bytes("[]"),
          bytes("\"\""),
          bytes("\u2028\ud83d\ude00"),
          bytes("x".repeat(70_000)),
          new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
          new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
          new byte[] {(byte) 0xc0, (byte) 0x80, (byte) 0xed, (byte) 0xa0, (byte) 0x80});

  private static final List<String> ENCODINGS = List.of("gzip", "deflate", "zstd", "snappy", "br");

  private static final List<String> PARAMETERS =
      List.of(
          "type=a",
          "type=",
          "identity=content",
          "identity=none",
          "identity=x",
          "time_field=a.b",
          "default_type=b",
          "type_field=message",
          "x=%00%ff",
          "pretty");

  private final Random random;
  private final List<RecordedRequest> all;

  RequestMutations(Random random, List<RecordedRequest> all) {
    this.random = random;
    this.all = all;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  /** The next mutation of a request, as bytes to send. */
  byte[] of(RecordedRequest request) {
    byte[] body = request.body();
    boolean isPacked = request.header("content-encoding").equals("gzip") && random.nextInt(4) > 0;
    body = isPacked ? unpack(body) : body;
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      body = change(body);
    }
    body = body.length > BODY_BYTES_MAX ? Arrays.copyOf(body, BODY_BYTES_MAX) : body;
    return request.with(head(request), isPacked ? pack(body) : body);
  }

  private List<String> head(RecordedRequest request) {
    List<String> head = new ArrayList<>(request.head());
    switch (random.nextInt(20)) {
      case 0 -> replace(head, "content-type", any(all).header("content-type"));
      case 1 -> replace(head, "content-encoding", any(ENCODINGS));
      case 2 -> {
        String target = head.get(0).split(" ")[1];
        String more = (target.contains("?") ? "&" : "?") + any(PARAMETERS);
        head.set(0, head.get(0).replace(target, target + more));
      }
      default -> {}
    }
    return head;
  }

  private static void replace(List<String> head, String name, String value) {
    head.removeIf(line -> RecordedRequest.isHeader(line, name));
    if (!value.isEmpty()) {
      head.add(name + ": " + value);
    }
  }

  private byte[] change(byte[] b) {
    int from = random.nextInt(b.length + 1);
    int to = from + random.nextInt(Math.min(b.length - from, 1 << random.nextInt(12)) + 1);
    return switch (random.nextInt(9)) {
      case 0, 1 -> flipped(b);
      case 2 -> Arrays.copyOf(b, from);
      case 3 -> joined(b, 0, from, new byte[0], to);
      case 4 -> joined(b, 0, to, repeated(b, from, to), to);
      case 5 -> joined(b, 0, from, joined(b, to, b.length, new byte[0], b.length), b.length);
      case 6 -> withNumber(b, from);
      case 7 -> nested(b, from, to);
      default -> joined(b, 0, from, random.nextBoolean() ? any(TOKENS) : piece(), from);
    };
  }

  private byte[] flipped(byte[] b) {
    byte[] changed = b.clone();
    for (int flips = 1 + random.nextInt(4); flips > 0 && b.length > 0; flips--) {
      changed[random.nextInt(b.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return changed;
  }

  /** [from, to) of a body, some other bytes, and the body from {@code next} on. */
  private static byte[] joined(byte[] b, int from, int to, byte[] between, int next) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(b, from, to - from);
    joined.writeBytes(between);
    joined.write(b, next, b.length - next);
    return joined.toByteArray();
  }

  private byte[] repeated(byte[] b, int from, int to) {
    ByteArrayOutputStream repeated = new ByteArrayOutputStream();
    for (int times = 1 << random.nextInt(8); times > 0; times--) {
      repeated.write(b, from, to - from);
    }
    return repeated.toByteArray();
  }

  /** Another number in the place of the first one at or behind {@code from}. */
  private byte[] withNumber(byte[] b, int from) {
    int start = from;
    while (start < b.length && !isDigit(b[start])) {
      start++;
    }
    int end = start;
    while (end < b.length && isDigit(b[end])) {
      end++;
    }
    return joined(b, 0, start, bytes(any(NUMBERS)), end);
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private byte[] nested(byte[] b, int from, int to) {
    int depth = 1 << random.nextInt(13);
    boolean isObject = random.nextBoolean();
    String inner = new String(b, from, to - from, ISO_8859_1);
    String nested =
        (isObject ? "{\"a\":" : "[").repeat(depth)
            + inner
            + (isObject ? "}" : "]").repeat(random.nextInt(8) == 0 ? DEPTH_MAX : depth);
    return joined(b, 0, from, nested.getBytes(ISO_8859_1), to);
  }

  /** Returns a piece of another request. */
  private byte[] piece() {
    byte[] b = any(all).body();
    int from = random.nextInt(b.length + 1);
    return Arrays.copyOfRange(b, from, from + random.nextInt(b.length - from + 1));
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private static byte[] pack(byte[] b) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(b);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static byte[] unpack(byte[] b) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(b))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
