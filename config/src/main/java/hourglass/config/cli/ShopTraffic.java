package hourglass.config.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;

/**
 * Makes up events of a web shop, with a story that repeats each hour: a crawler floods the search,
 * and later a deploy breaks and slows the payments of one host until its rollback. The same seed
 * and begin produce the same traffic. Not thread-safe.
 */
final class ShopTraffic {
  private static final String[] TYPES = {
    "page_view", "search", "cart_add", "login", "checkout", "payment", "stock_update", "error"
  };

  /** The share of each type, in percent. */
  private static final int[] SHARES = {52, 17, 10, 7, 5, 5, 3, 1};

  private static final String[] PAGES = {
    "/", "/sale", "/lamps", "/lamps/desk", "/chairs", "/chairs/oak", "/cart", "/help"
  };
  private static final String[] WORDS = {"desk lamp", "oak chair", "rug", "mirror", "shelf"};
  private static final String[] COUNTRIES = {"DE", "FR", "GB", "IT", "JP", "NL", "SE", "US"};

  private static final int TIDE_MINUTES = 47;

  // The times of the story, in minutes of its hour:
  static final int STORY_MINUTES = 60;
  static final int CRAWL = 18;
  static final int CRAWL_END = 23;
  static final int DEPLOY = 49;
  static final int ROLLBACK = 57;

  static final String NEW_VERSION = "2.8.0";
  private static final String OLD_VERSION = "2.7.4";
  static final String BROKEN_HOST = "pay-2";
  private static final int PAY_HOSTS = 3;
  private static final int WEB_HOSTS = 4;
  private static final String CRAWLER = "s-crawler";

  private final SplittableRandom random;
  private final Instant begin;
  private long minutesTold = -1;
  private long made;

  ShopTraffic(long seed, Instant begin) {
    random = new SplittableRandom(seed);
    this.begin = begin;
  }

  /**
   * Returns the factor by which the usual rate is multiplied: 0.8 to 1.2 with the tide of visitors,
   * and 2 more while a crawler runs.
   */
  double rate(Instant time) {
    double tide = 1 + 0.2 * Math.sin(2 * Math.PI * minutes(time) / TIDE_MINUTES);
    return isCrawl(time) ? tide + 2 : tide;
  }

  /** Appends an event, after the deploys and rollbacks that are due. */
  void append(StringBuilder lines, Instant time) {
    for (long told = minutesTold + 1; told <= minutes(time); told++) {
      long minute = told % STORY_MINUTES;
      if (minute == DEPLOY || minute == ROLLBACK) {
        append(
            lines,
            "deploy",
            time,
            "s-ci",
            "'service':'payments','host':'%s','version':'%s'"
                .formatted(BROKEN_HOST, isBroken(time) ? NEW_VERSION : OLD_VERSION));
      }
      minutesTold = told;
    }
    String type = type(time);
    boolean isCrawler = type.equals("search") && isCrawl(time) && random.nextInt(10) > 0;
    String session = isCrawler ? CRAWLER : "s" + random.nextInt(4000);
    append(lines, type, time, session, details(type, time));
  }

  private void append(
      StringBuilder lines, String type, Instant time, String session, String details) {
    lines.append(
        "{'type':'%s','time':'%s','id':'%s-%s','session':'%s','country':'%s',%s}\n"
            .formatted(
                type,
                time.truncatedTo(ChronoUnit.MICROS),
                Long.toHexString(random.nextLong()),
                made++,
                session,
                oneOf(COUNTRIES),
                details)
            .replace('\'', '"'));
  }

  private String details(String type, Instant time) {
    return switch (type) {
      case "page_view" ->
          "'path':'%s','ms':%s,'host':'%s'".formatted(oneOf(PAGES), millis(), webHost());
      case "search" -> "'words':'%s','hits':%s".formatted(oneOf(WORDS), random.nextInt(60));
      case "cart_add" -> "'sku':%s,'count':%s".formatted(sku(), 1 + random.nextInt(3));
      case "login" -> "'ok':%s".formatted(random.nextInt(20) > 0);
      case "checkout" -> "'items':%s,'cents':%s".formatted(1 + random.nextInt(6), cents());
      case "payment" -> payment(time);
      case "stock_update" -> "'sku':%s,'left':%s".formatted(sku(), random.nextInt(500));
      default -> error(time);
    };
  }

  private String payment(Instant time) {
    String host = "pay-" + (1 + random.nextInt(PAY_HOSTS));
    boolean isBroken = isBroken(time) && host.equals(BROKEN_HOST);
    return "'path':'/pay','ms':%s,'cents':%s,'method':'card','ok':%s,'host':'%s','version':'%s'"
        .formatted(
            isBroken ? 2_000 + millis() : millis(),
            cents(),
            random.nextInt(100) < (isBroken ? 10 : 97),
            host,
            isBroken ? NEW_VERSION : OLD_VERSION);
  }

  private String error(Instant time) {
    return isBroken(time)
        ? "'level':'error','message':'payment timed out','status':502,'path':'/pay','host':'%s','version':'%s'"
            .formatted(BROKEN_HOST, NEW_VERSION)
        : "'level':'error','message':'page failed','status':%s,'path':'%s','host':'%s'"
            .formatted(500 + random.nextInt(4), oneOf(PAGES), webHost());
  }

  private String type(Instant time) {
    if (isCrawl(time) && random.nextInt(100) < 60) {
      return "search";
    }
    if (isBroken(time) && random.nextInt(100) < 30) {
      return "error";
    }
    int ticket = random.nextInt(100);
    int type = 0;
    while (ticket >= SHARES[type]) {
      ticket -= SHARES[type++];
    }
    return TYPES[type];
  }

  private boolean isBroken(Instant time) {
    long minute = minutes(time) % STORY_MINUTES;
    return minute >= DEPLOY && minute < ROLLBACK;
  }

  private boolean isCrawl(Instant time) {
    long minute = minutes(time) % STORY_MINUTES;
    return minute >= CRAWL && minute < CRAWL_END;
  }

  private String webHost() {
    return "web-" + (1 + random.nextInt(WEB_HOSTS));
  }

  private long minutes(Instant time) {
    return ChronoUnit.MINUTES.between(begin, time);
  }

  private long sku() {
    return 10_000L + random.nextInt(900);
  }

  private long cents() {
    return 500L + random.nextInt(40_000);
  }

  /** Returns the time of an answer in milliseconds. Most answers are quick, a few are slow. */
  private long millis() {
    double u = random.nextDouble();
    return Math.round(8 + 20 / (1.02 - u));
  }

  private String oneOf(String[] some) {
    return some[random.nextInt(some.length)];
  }
}
