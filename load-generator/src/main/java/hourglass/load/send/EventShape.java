package hourglass.load.send;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The form of a generated event: a web request as compact JSON with eight fields, about 170 B.
 *
 * <pre>
 *   {"type":"checkout","time":"2026-11-20T08:00:00.000331Z","level":"info","host":"web-07.eu1.local",
 *    "path":"/api/products/sizes/12","status":200,"ms":12.3,"trace":"9f8e7d6c"}
 *
 *   host    one of 40, alike            level   from the status, debug now and then
 *   path    one of 200, Zipf 0.9        ms      lognormal, median 12 ms, slower when the server failed
 *   status  weighted                    trace   32 random bits
 * </pre>
 *
 * <p>If a size is given, fields at the end are left out, or a {@code note} of words is added.
 * Immutable.
 */
public final class EventShape implements EventForm {
  private static final List<String> NAMES =
      List.of("page_view", "search", "checkout", "login", "payment", "signup");
  private static final List<String> AREAS =
      List.of("products", "carts", "orders", "users", "search", "images", "reviews", "offers");
  private static final List<String> PARTS =
      List.of("sizes", "prices", "detail", "stock", "related");
  private static final byte[][] WORDS =
      texts(
          Stream.of(
                  "cache request served from origin after retry with token session region queue worker timeout upstream ok"
                      .split(" "))
              .map("%s "::formatted));
  private static final byte[][] LEVELS =
      texts(Stream.of("debug", "info", "warn", "error").map(",\"level\":\"%s\""::formatted));
  private static final byte[][] HOSTS =
      texts(
          IntStream.range(0, 40)
              .mapToObj(i -> ",\"host\":\"web-%02d.eu%d.local\"".formatted(i, 1 + i % 3)));
  private static final byte[][] PATHS = texts(IntStream.range(0, 200).mapToObj(EventShape::path));
  private static final Zipf PATH_RANK = new Zipf(PATHS.length, 0.9);
  private static final int[] STATUS_CODES = {200, 304, 201, 404, 302, 400, 401, 500, 503, 429};
  private static final int[] STATUS_WEIGHTS = {820, 60, 40, 30, 20, 10, 8, 6, 4, 2};
  private static final byte[][] STATUSES =
      texts(IntStream.of(STATUS_CODES).mapToObj(code -> ",\"status\":" + code));

  private static final byte[] TYPE = ascii("{\"type\":\"");
  private static final byte[] TIME = ascii("\",\"time\":\"");
  private static final byte[] MS = ascii(",\"ms\":");
  private static final byte[] TRACE = ascii(",\"trace\":\"");
  private static final byte[] NOTE = ascii(",\"note\":\"");

  private final byte[][] types;
  private final Zipf typeRank;
  private final int payloadBytes;

  /**
   * Creates a shape.
   *
   * @param payloadBytes the size of an event; 0 for its natural size
   */
  public EventShape(int types, double skew, int payloadBytes) {
    this.types = texts(typeNames(types).stream());
    this.typeRank = new Zipf(types, skew);
    this.payloadBytes = payloadBytes;
  }

  private static String path(int i) {
    String area = AREAS.get(i % AREAS.size());
    String part = PARTS.get(i / 8 % PARTS.size());
    return ",\"path\":\"/api/%s/%s/%d\"".formatted(area, part, 10 + i * 37 % 990);
  }

  public static List<String> typeNames(int types) {
    return IntStream.range(0, types)
        .mapToObj(i -> i < NAMES.size() ? NAMES.get(i) : "type-" + (i + 1))
        .toList();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[][] texts(Stream<String> texts) {
    return texts.map(EventShape::ascii).toArray(byte[][]::new);
  }

  @Override
  public void write(JsonText out, long epochMicros, SplittableRandom random) {
    int status = status(random); // drawn before the type, so that a seed keeps its bytes
    write(out, types[typeRank.draw(random)], epochMicros, status, random);
  }

  /** Writes an event of a type that is escaped for JSON, and a line break. */
  public void write(JsonText out, byte[] type, long epochMicros, SplittableRandom random) {
    write(out, type, epochMicros, status(random), random);
  }

  private void write(
      JsonText out, byte[] type, long epochMicros, int status, SplittableRandom random) {
    int start = out.length();
    out.raw(TYPE).raw(type).raw(TIME);
    time(out, epochMicros);
    out.raw('"');
    field(out, start, LEVELS[level(STATUS_CODES[status], random)]);
    field(out, start, HOSTS[random.nextInt(HOSTS.length)]);
    field(out, start, PATHS[PATH_RANK.draw(random)]);
    field(out, start, STATUSES[status]);
    if (fits(out, start, MS.length + 6)) {
      long tenths = tenthsOfMillis(STATUS_CODES[status], random);
      out.raw(MS).raw(Long.toString(tenths / 10)).raw('.').raw((char) ('0' + tenths % 10));
    }
    if (fits(out, start, TRACE.length + 9)) {
      out.raw(TRACE).raw(HexFormat.of().toHexDigits(random.nextInt())).raw('"');
    }
    note(out, start, random);
    out.raw('}').raw('\n');
  }

  /** Writes a time to the microsecond, such as {@code 2026-11-20T08:00:00.000331Z}. */
  private static void time(JsonText out, long epochMicros) {
    byte[] text = new byte[Ticks.TEXT_BYTES];
    Ticks.write(Ticks.UNIX_EPOCH + 10 * epochMicros, text, 0);
    out.raw(text, 0, Ticks.TEXT_BYTES - 2).raw('Z');
  }

  private void field(JsonText out, int start, byte[] field) {
    if (fits(out, start, field.length)) {
      out.raw(field);
    }
  }

  private boolean fits(JsonText out, int start, int bytes) {
    return payloadBytes == 0 || out.length() - start + bytes < payloadBytes;
  }

  private void note(JsonText out, int start, SplittableRandom random) {
    int room = payloadBytes - (out.length() - start) - NOTE.length - 2;
    if (payloadBytes == 0 || room < 1) {
      return;
    }
    out.raw(NOTE);
    int end = out.length() + room;
    while (out.length() < end) {
      byte[] word = WORDS[random.nextInt(WORDS.length)];
      for (int i = 0; i < word.length && out.length() < end; i++) {
        out.raw((char) word[i]);
      }
    }
    out.raw('"');
  }

  private static int status(SplittableRandom random) {
    int left = random.nextInt(1000);
    int i = 0;
    while (left >= STATUS_WEIGHTS[i]) {
      left -= STATUS_WEIGHTS[i++];
    }
    return i;
  }

  private static int level(int status, SplittableRandom random) {
    if (status >= 500) {
      return 3;
    }
    return status >= 400 ? 2 : random.nextInt(50) == 0 ? 0 : 1;
  }

  private static long tenthsOfMillis(int status, SplittableRandom random) {
    double median = status >= 500 ? 900 : 12;
    double millis = median * Math.exp(0.8 * random.nextGaussian());
    return Math.max(1, Math.min(300_000, Math.round(millis * 10)));
  }
}
