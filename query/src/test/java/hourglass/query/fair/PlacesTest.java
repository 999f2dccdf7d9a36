package hourglass.query.fair;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.fair.Places.Place;
import hourglass.query.fair.Places.Size;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PlacesTest {
  /** Four places, one of them for small queries; 3 may wait, 2 may rest, 2 may yield. */
  private static final PlaceLimits LIMITS = new PlaceLimits(4, 1, 3, 5_000, 2, 2_000, 2, 500);

  private final AtomicLong now = new AtomicLong();
  private final AtomicBoolean hasMemory = new AtomicBoolean(true);
  private final Places places = new Places(LIMITS, client -> hasMemory.get(), now::get);

  /** Notes the calls. */
  private final class Query implements PlaceHolder {
    private final Place place;
    private boolean began;
    private String refused = "";
    private boolean cut;
    private int moves;

    private Query(String client, Size size) {
      this(places, client, size);
    }

    private Query(Places places, String client, Size size) {
      place = places.place(client, size, this);
      place.enter();
    }

    @Override
    public void begin() {
      assertThat(began).isFalse();
      began = true;
    }

    @Override
    public void refuse(String why) {
      refused = why;
    }

    @Override
    public void moved() {
      moves++;
    }

    @Override
    public void cutOff() {
      cut = true;
    }
  }

  private Query large(String client) {
    return new Query(client, Size.LARGE);
  }

  private Query small(String client) {
    return new Query(client, Size.SMALL);
  }

  private List<Query> large(String client, int count) {
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queries.add(large(client));
    }
    return queries;
  }

  @Test
  void aSingleClientUsesAllUnreservedPlaces() {
    large("a", 3).forEach(query -> assertThat(query.began).isTrue());
    Query fourth = large("a");
    assertThat(fourth.began).isFalse();
    assertThat(small("a").began).isTrue();
    assertThat(small("a").began).isFalse();
    assertThat(places.waiting()).isEqualTo(2);
  }

  @Test
  void aQueryOfUnknownSizeIsLargeUntilItIsKnown() {
    large("a", 3);
    Query query = new Query("a", Size.UNKNOWN);
    assertThat(query.began).isFalse();
    query.place.sized(Size.SMALL);
    assertThat(query.began).isTrue();
  }

  @Test
  void aFreePlaceIsGivenToTheClientWithTheFewest() {
    List<Query> first = large("a", 3);
    Query ofA = large("a");
    Query ofB = large("b");
    first.get(0).place.end();
    assertThat(ofB.began).isTrue();
    assertThat(ofA.began).isFalse();
    first.get(1).place.end();
    assertThat(ofA.began).isTrue();
  }

  @Test
  void aRestingAnswerFreesItsPlace() {
    List<Query> first = large("a", 3);
    Query next = large("a");
    first.get(0).place.rest();
    assertThat(next.began).isTrue();
    assertThat(first.get(0).place.ask()).isFalse();
    next.place.end();
    assertThat(first.get(0).moves).isEqualTo(1);
    assertThat(first.get(0).place.ask()).isTrue();
    assertThat(places.begun()).isEqualTo(3);
  }

  @Test
  void restingAnswerIsCutOffForAnotherQuery() {
    List<Query> slow = large("a", 3);
    slow.forEach(query -> query.place.rest());
    List<Query> more = large("a", 3);
    more.forEach(query -> query.place.rest());
    Query ofB = large("b");
    assertThat(ofB.began).as("room for 4 + 2 that were begun").isFalse();
    places.look();
    assertThat(slow.get(0).cut).as("it may be quick yet").isFalse();
    now.addAndGet(2_000);
    places.look();
    assertThat(slow.get(0).cut).isTrue();
    assertThat(ofB.began).isTrue();
    assertThat(slow.get(1).cut).isFalse();
  }

  @Test
  void restingAnswerIsCutOffForItsMemory() {
    Query slow = large("a");
    slow.place.rest();
    hasMemory.set(false);
    Query next = large("a");
    assertThat(next.began).isFalse();
    assertThat(small("a").began).isTrue();
    now.addAndGet(2_000);
    places.look();
    assertThat(slow.cut).isTrue();
    assertThat(next.began).as("its memory is still held").isFalse();
    hasMemory.set(true);
    places.look();
    assertThat(next.began).isTrue();
  }

  @Test
  void theClientWithMostRestingAnswersLosesOne() {
    Query ofB = large("b");
    ofB.place.rest();
    now.addAndGet(1_000);
    for (int i = 0; i < 5; i++) {
      large("a").place.rest();
    }
    Query ofC = large("c");
    now.addAndGet(2_000);
    places.look();
    assertThat(ofC.began).isTrue();
    assertThat(ofB.cut).isFalse();
  }

  @Test
  void aClientWithoutRestingAnswersIsSkipped() {
    List<Query> slow = large("b", 2);
    slow.forEach(query -> query.place.rest());
    now.addAndGet(2_000);
    large("a").place.rest();
    large("a", 3);
    Query ofC = large("c");
    assertThat(ofC.began).isFalse();
    places.look();
    assertThat(slow.get(0).cut).as("the answers of a do not rest, or are quick yet").isTrue();
    assertThat(slow.get(1).cut).isFalse();
  }

  @Test
  void smallAnswersAreNotCutOffForLargeOnes() {
    Query small = small("a");
    small.place.rest();
    now.addAndGet(2_000);
    for (int i = 0; i < 6; i++) {
      large("a").place.rest();
    }
    assertThat(large("b").began).isFalse();
    places.look();
    assertThat(small.cut).isFalse();
  }

  @Test
  void answersAreCutOffForMemoryOneAtATime() {
    List<Query> slow = List.of(large("a"), large("b"), large("a"), large("b"));
    slow.forEach(query -> query.place.rest());
    hasMemory.set(false);
    large("c");
    large("d");
    now.addAndGet(2_000);
    places.look();
    places.look();
    assertThat(slow.stream().filter(query -> query.cut)).hasSize(1);
    now.addAndGet(100);
    places.look();
    assertThat(slow.stream().filter(query -> query.cut)).hasSize(2);
  }

  @Test
  void smallQueriesDoNotShieldLargeOnes() {
    Places eight =
        new Places(new PlaceLimits(8, 2, 3, 5_000, 2, 2_000, 2, 500), client -> true, now::get);
    for (int i = 0; i < 5; i++) {
      new Query(eight, "a", Size.SMALL);
    }
    Query heavy = new Query(eight, "b", Size.LARGE);
    new Query(eight, "b", Size.LARGE);
    new Query(eight, "b", Size.LARGE);
    Query ofC = new Query(eight, "c", Size.LARGE);
    now.addAndGet(500);
    eight.look();
    assertThat(ofC.began).isTrue();
    assertThat(heavy.place.mustPause()).isTrue();
  }

  @Test
  void pausedQueriesTakeTurnsWithoutAQueue() {
    List<Query> heavy = large("a", 3);
    Query ofB = large("b");
    now.addAndGet(500);
    places.look();
    assertThat(ofB.began).isTrue();
    assertThat(places.waiting()).isZero();
    now.addAndGet(500);
    places.look();
    assertThat(heavy.get(0).place.mustPause()).isFalse();
    assertThat(heavy.get(1).place.mustPause()).isTrue();
  }

  @Test
  void restingAnswersLeaveRoomForSmallQueries() {
    for (int i = 0; i < 6; i++) {
      large("a").place.rest();
    }
    assertThat(large("a").began).isFalse();
    assertThat(small("a").began).isTrue();
  }

  @Test
  void aClientGivesUpPlacesForAnotherThatWaits() {
    List<Query> heavy = large("a", 3);
    Query ofB = large("b");
    places.look();
    assertThat(ofB.began).as("their slices are not over").isFalse();
    now.addAndGet(500);
    places.look();
    assertThat(ofB.began).isTrue();
    Query victim = heavy.get(0);
    assertThat(victim.place.mustPause()).isTrue();
    assertThat(victim.place.ask()).as("it ends what it does").isTrue();
    ofB.place.end();
    assertThat(victim.place.mustPause()).isFalse();
    assertThat(victim.moves).isEqualTo(2);
  }

  @Test
  void aSingleClientKeepsItsPlacesDespiteAQueue() {
    large("a", 3);
    Query fourth = large("a");
    now.addAndGet(4_000);
    places.look();
    assertThat(fourth.began).isFalse();
  }

  @Test
  void aResumedAnswerTakesTurnsWithItsClient() {
    Query rested = large("a");
    rested.place.rest();
    List<Query> heavy = large("a", 3);
    assertThat(rested.place.ask()).isFalse();
    now.addAndGet(500);
    places.look();
    assertThat(rested.place.ask()).isTrue();
    assertThat(heavy.get(0).place.mustPause()).isTrue();
  }

  @Test
  void aQueryThatWaitsTooLongIsRefused() {
    large("a", 3);
    Query fourth = large("a");
    now.addAndGet(4_999);
    places.look();
    assertThat(fourth.refused).isEmpty();
    now.addAndGet(1);
    places.look();
    assertThat(fourth.refused).contains("3 queries are at work (3 of 4 places take large ones)");
    assertThat(places.waiting()).isZero();
  }

  @Test
  void aFullQueueRefusesTheNewestOfTheLargestShare() {
    large("a", 3);
    List<Query> waiting = large("a", 3);
    assertThat(large("a").refused).as("its own share is the largest").isNotEmpty();
    Query ofB = large("b");
    assertThat(ofB.refused).isEmpty();
    assertThat(waiting.get(2).refused).isNotEmpty();
    assertThat(waiting.get(0).refused).isEmpty();
    Query unknown = new Query("a", Size.UNKNOWN);
    assertThat(unknown.refused).as("small ones have a line of their own").isEmpty();
    unknown.place.sized(Size.LARGE);
    assertThat(unknown.refused).isNotEmpty();
  }

  @Test
  void endedQueriesAreForgotten() {
    Query query = large("a");
    Query waiting = small("b");
    query.place.end();
    query.place.end();
    waiting.place.end();
    query.place.rest();
    assertThat(query.place.ask()).isFalse();
    assertThat(places.begun() + places.waiting() + places.resting()).isZero();
  }

  /** No bound is exceeded, and in the end all is free again. */
  @Test
  void randomQueriesStayWithinTheBounds() {
    Random random = Seed.random(this);
    List<Query> queries = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      now.addAndGet(random.nextInt(200));
      int action = random.nextInt(6);
      if (action == 0 || queries.isEmpty()) {
        Size size = Size.values()[random.nextInt(3)];
        queries.add(new Query("client " + random.nextInt(4), size));
      } else {
        Query query = queries.get(random.nextInt(queries.size()));
        switch (action) {
          case 1 -> query.place.rest();
          case 2 -> {
            if (query.began) {
              query.place.ask();
            }
          }
          case 3 -> query.place.sized(random.nextBoolean() ? Size.SMALL : Size.LARGE);
          case 4 -> {
            query.place.end();
            queries.remove(query);
          }
          default -> places.look();
        }
      }
      queries.removeIf(query -> query.cut || !query.refused.isEmpty());
      assertThat(places.begun()).isLessThanOrEqualTo(4 + 2 + 4 + 2);
      assertThat(places.waiting()).isLessThanOrEqualTo(6);
    }
    queries.forEach(query -> query.place.end());
    assertThat(places.begun() + places.waiting() + places.resting()).isZero();
    large("a", 3).forEach(query -> assertThat(query.began).isTrue());
  }
}
