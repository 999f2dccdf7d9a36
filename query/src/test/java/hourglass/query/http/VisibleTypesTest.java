package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.access.TypePatterns;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.QueryOptions;
import hourglass.store.testkit.LatentStore;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client that may see some types gets what a store with those types alone answers. */
class VisibleTypesTest {
  private static final List<String> TYPES =
      List.of("shop.cart", "shop.order", "shop", "audit", "secret.plan", "b|\"");
  private static final String VISIBLE = "shop.*,audit";

  private final LatentStore all = new LatentStore(new OracleStore());
  private final LatentStore some = new LatentStore(new OracleStore());
  private final QueryServer ofAll = new QueryServer(all, QueryOptions.builder().build());
  private final QueryServer ofSome = new QueryServer(some, QueryOptions.builder().build());
  private final Random random = Seed.random(this);

  VisibleTypesTest() {
    TypePatterns visible = TypePatterns.of(List.of(VISIBLE.split(",")));
    for (String type : TYPES) {
      int columns = 5 + random.nextInt(60);
      Fill.row(all, type, columns, type);
      if (visible.allows(type)) {
        Fill.row(some, type, columns, type);
      }
    }
  }

  @AfterEach
  void close() {
    ofAll.close();
    ofSome.close();
    all.close();
    some.close();
  }

  @Test
  void answersAgreeWithAStoreOfTheVisibleTypes() {
    for (int i = 0; i < Tier.length(60, 300, 3_000); i++) {
      boolean isOfLoki = random.nextInt(3) == 0;
      String path = isOfLoki ? "/loki/api/v1/" + ofLoki() : "/api/v1/" + question();
      QueryServer.Reply expected = ofSome.get(path);
      QueryServer.Reply actual = ofAll.get(path, "Types", VISIBLE);
      assertThat(actual.status()).as(path).isEqualTo(expected.status());
      assertThat(actual.body()).as(path).isEqualTo(expected.body());
      assertThat(actual.headers()).as(path).isEqualTo(expected.headers());
      assertThat(actual.trailers()).as(path).isEqualTo(expected.trailers());
    }
  }

  private String question() {
    String selection = "hour=2026-11-20T08" + types() + filter();
    return switch (random.nextInt(10)) {
      case 0 -> "hits?step=1m&by=type&" + selection;
      case 1 -> "types?" + selection;
      case 2 -> "stats?field=data.n&by=type&" + selection;
      case 3 -> "top?field=data.more&" + selection;
      case 4 -> "fields?" + selection;
      case 5 -> "plan?" + selection;
      case 6 -> "rows?hour=2026-11-20T08" + types();
      case 7 -> "events/" + id() + "?" + types().replaceFirst("&", "");
      case 8 -> "events?around=" + id() + "&limit=5" + types();
      default ->
          "events?limit=%d&order=%s&format=ndjson&%s"
              .formatted(1 + random.nextInt(80), random.nextBoolean() ? "asc" : "desc", selection);
    };
  }

  private String ofLoki() {
    String range = "start=1795161600&end=1795165200&step=60&match[]=";
    String[] selectors = {
      "{service_name=~\".+\"}",
      "{service_name=~\"shop.*|secret.*\"}",
      "{service_name=\"secret.plan\"}",
      "{service_name=~\".+\"}|json|n>10",
      "{service_name=~\".+\"}|=`secret`",
    };
    String selector = url(selectors[random.nextInt(selectors.length)]);
    String by = random.nextBoolean() ? "service_name" : "more";
    String metric = url("sum by (" + by + ") (count_over_time(") + selector + url("[5m]))");
    return switch (random.nextInt(9)) {
      case 0 -> "query_range?" + range + "&query=" + metric;
      case 1 -> "query?time=1795165200&query=" + metric;
      case 2 -> "labels?" + range;
      case 3 -> "label/service_name/values?" + range + "&query=" + selector;
      case 4 -> "series?" + range + selector;
      case 5 -> "index/stats?" + range + "&query=" + selector;
      case 6 -> "index/volume_range?" + range + "&query=" + selector;
      case 7 -> "detected_fields?" + range + "&query=" + selector;
      default -> "query_range?" + range + "&limit=20&query=" + selector;
    };
  }

  private static String url(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private String types() {
    String one = "&type=" + TYPES.get(random.nextInt(TYPES.size())).replaceAll("[|\"]+", "%7C%22");
    return random.nextBoolean() ? "" : random.nextBoolean() ? one : one + "&type=none";
  }

  private String filter() {
    return switch (random.nextInt(4)) {
      case 0 -> "&contains=secret";
      case 1 -> "&where=data.n%20%3E%2010";
      case 2 -> "&where=type%20%3D%3D%20%22secret.plan%22%20%7C%7C%20data.n%20%3D%3D%203";
      default -> "";
    };
  }

  /** Returns the id of an event of a random type, visible or hidden. */
  private String id() {
    return TimeUuid.first(Fill.HOUR.startTicks() + random.nextInt(70) * Ticks.PER_SECOND)
        .toString();
  }

  @Test
  void aTailShowsNoOtherType() {
    try (TailClient tail =
        TailClient.ofTypes(VISIBLE, ofAll.port(), "?since=2026-11-20T08:00:00Z")) {
      long expected = ofSome.get("/api/v1/events?limit=all&format=ndjson").body().lines().count();
      await().until(() -> tail.messages.size() >= expected);
      assertThat(tail.messages).hasSize((int) expected);
      for (TailClient.Message message : tail.messages) {
        assertThat(message.data()).doesNotContain("secret").doesNotContain("b|");
        assertNamesNothing(message.id());
      }
      assertNamesNothing(tail.lastEventId());
    }
  }

  /** A position is opaque to clients, but not secret. */
  private static void assertNamesNothing(String position) {
    byte[] bytes = Base64.getUrlDecoder().decode(position);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    assertThat(text).doesNotContain("secret").doesNotContain("b|\"");
    assertThat(text.endsWith("shop") && !text.endsWith("shop.")).isFalse();
  }
}
