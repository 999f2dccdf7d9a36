package hourglass.load.send;

import hourglass.bucketing.Ticks;
import hourglass.bytes.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The form of a generated message: a text of twelve words with an id or an address among them,
 * about 230 B.
 *
 * <pre>
 *   {"type":"login","time":"2026-11-20T08:00:00.000331Z","level":"info",
 *    "request":"4bf92f3577b34da6a3ce929d0e0e4736","message":"tora lemis order-4711 veka ..."}
 *
 *   words     20,000, Zipf 1.0      connection refused   in one of a hundred
 *   level     weighted              {@link #RARE}             in three of a million
 * </pre>
 *
 * Immutable.
 */
public final class MessageShape implements EventForm {
  public static final String RARE = "zeppelin";
  public static final String ABSENT = "xylophone";
  public static final String PHRASE = "connection refused";

  private static final int VOCABULARY = 20_000;
  private static final int WORDS = 12;
  private static final String[] LEVELS = {"info", "debug", "warn", "error"};
  private static final int[] LEVELS_BELOW = {80, 90, 97, 100};
  private static final byte[][] VOCABULARY_WORDS = vocabulary();
  private static final Zipf RANK = new Zipf(VOCABULARY, 1.0);

  private final String[] types;
  private final Zipf typeRank;

  public MessageShape(int types, double skew) {
    this.types = EventShape.typeNames(types).toArray(String[]::new);
    typeRank = new Zipf(types, skew);
  }

  private static byte[][] vocabulary() {
    String[] syllables = {
      "ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "an",
      "er", "in", "or", "us", "al"
    };
    SplittableRandom random = new SplittableRandom(7);
    return IntStream.range(0, VOCABULARY)
        .mapToObj(
            i -> {
              StringBuilder word = new StringBuilder();
              for (int n = 2 + random.nextInt(3); n > 0; n--) {
                word.append(syllables[random.nextInt(syllables.length)]);
              }
              return word.toString().getBytes(StandardCharsets.US_ASCII);
            })
        .toArray(byte[][]::new);
  }

  @Override
  public void write(JsonText out, long epochMicros, SplittableRandom random) {
    byte[] time = new byte[Ticks.TEXT_BYTES];
    Ticks.write(Ticks.UNIX_EPOCH + 10 * epochMicros, time, 0);
    out.raw("{\"type\":\"").raw(types[typeRank.draw(random)]).raw("\",\"time\":\"");
    out.raw(time, 0, Ticks.TEXT_BYTES - 2).raw("Z\",\"level\":\"").raw(level(random));
    HexFormat hex = HexFormat.of();
    out.raw("\",\"request\":\"").raw(hex.toHexDigits(random.nextLong()));
    out.raw(hex.toHexDigits(random.nextLong())).raw("\",\"message\":\"");
    message(out, random);
    out.raw("\"}").raw('\n');
  }

  private static String level(SplittableRandom random) {
    int drawn = random.nextInt(100);
    int i = 0;
    while (drawn >= LEVELS_BELOW[i]) {
      i++;
    }
    return LEVELS[i];
  }

  private static void message(JsonText out, SplittableRandom random) {
    int idAt = random.nextInt(WORDS);
    boolean isRefused = random.nextInt(100) == 0;
    boolean isRare = random.nextInt(1_000_000) < 3;
    for (int i = 0; i < WORDS; i++) {
      if (i > 0) {
        out.raw(' ');
      }
      if (i == idAt) {
        out.raw(random.nextBoolean() ? address(random) : "order-" + random.nextInt(10_000_000));
      } else if (isRefused) {
        out.raw(PHRASE);
        isRefused = false;
      } else if (isRare) {
        out.raw(RARE);
        isRare = false;
      } else {
        out.raw(VOCABULARY_WORDS[RANK.draw(random)]);
      }
    }
  }

  private static String address(SplittableRandom random) {
    return "10.%d.%d.%d".formatted(random.nextInt(64), random.nextInt(256), random.nextInt(256));
  }
}
