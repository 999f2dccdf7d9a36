package hourglass.config.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;

/**
 * Made-up events of a web shop: a tide of visitors, and now and then a few bad minutes. The same
 * seed gives the same traffic. Not thread-safe.
 */
final class ShopTraffic {
  private static final String[] TYPES = {
    "page_view", "search", "cart_add", "login", "checkout", "payment", "stock_update", "error"
  };

  /** Of a hundred events. */
  private static final int[] SHARES = {52, 17, 10, 7, 5, 5, 3, 1};

  private static final String[] PAGES = {
    "/", "/sale", "/lamps", "/lamps/desk", "/chairs", "/chairs/oak", "/cart", "/help"
  };
  private static final String[] WORDS = {"desk lamp", "oak chair", "rug", "mirror", "shelf"};
  private static final String[] COUNTRIES = {"DE", "FR", "GB", "IT", "JP", "NL", "SE", "US"};

  private static final int TIDE_MINUTES = 47;
  private static final int BAD_EVERY_MINUTES = 41;
  private static final int ERROR_SHARE_WHEN_BAD = 25;

  private final SplittableRandom random;
  private long made;

  ShopTraffic(long seed) {
    random = new SplittableRandom(seed);
  }

  /** 1 on average, from 0.5 to 1.5. */
  static double tide(Instant time) {
    return 1 + 0.5 * Math.sin(2 * Math.PI * minute(time) / TIDE_MINUTES);
  }

  void append(StringBuilder lines, Instant time) {
    String type = type(time);
    lines.append(
        "{'type':'%s','time':'%s','id':'%s-%s','session':'s%s','country':'%s',%s}\n"
            .formatted(
                type,
                time.truncatedTo(ChronoUnit.MICROS),
                Long.toHexString(random.nextLong()),
                made++,
                random.nextInt(4000),
                oneOf(COUNTRIES),
                details(type))
            .replace('\'', '"'));
  }

  private String details(String type) {
    return switch (type) {
      case "page_view" -> "'path':'%s','ms':%s".formatted(oneOf(PAGES), millis());
      case "search" -> "'words':'%s','hits':%s".formatted(oneOf(WORDS), random.nextInt(60));
      case "cart_add" -> "'sku':%s,'count':%s".formatted(sku(), 1 + random.nextInt(3));
      case "login" -> "'ok':%s".formatted(random.nextInt(20) > 0);
      case "checkout" -> "'items':%s,'cents':%s".formatted(1 + random.nextInt(6), cents());
      case "payment" ->
          "'cents':%s,'method':'card','ok':%s".formatted(cents(), random.nextInt(30) > 0);
      case "stock_update" -> "'sku':%s,'left':%s".formatted(sku(), random.nextInt(500));
      default -> "'status':%s,'path':'%s'".formatted(500 + random.nextInt(4), oneOf(PAGES));
    };
  }

  private String type(Instant time) {
    boolean isBad = minute(time) % BAD_EVERY_MINUTES < 3;
    if (isBad && random.nextInt(100) < ERROR_SHARE_WHEN_BAD) {
      return "error";
    }
    int ticket = random.nextInt(100);
    int type = 0;
    while (ticket >= SHARES[type]) {
      ticket -= SHARES[type++];
    }
    return TYPES[type];
  }

  private static long minute(Instant time) {
    return time.getEpochSecond() / 60;
  }

  private long sku() {
    return 10_000L + random.nextInt(900);
  }

  private long cents() {
    return 500L + random.nextInt(40_000);
  }

  /** Most answers are quick, a few are slow. */
  private long millis() {
    double u = random.nextDouble();
    return Math.round(8 + 20 / (1.02 - u));
  }

  private String oneOf(String[] some) {
    return some[random.nextInt(some.length)];
  }
}
