package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedPlaces.Stalled;
import hourglass.testing.Seed;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SharedPlacesTest {
  private static final long IN_USE = Long.MAX_VALUE;
  private static final long STALLED = 10_000;

  private final Map<String, Thing> things = new HashMap<>();
  private final SharedPlaces<Thing> places = places(Stalled.OWN_LEAVES);
  private long now = 1_000_000;

  private SharedPlaces<Thing> places(Stalled stalled) {
    return new SharedPlaces<>(4, () -> now, stalled, STALLED);
  }

  /** A holder that is in use until {@code idle} is called. */
  private final class Thing implements SharedPlaces.Holder {
    private final String name;
    private long idleSince = IN_USE;
    private boolean staysInUse;

    private Thing(String name) {
      this.name = name;
    }

    @Override
    public long idleSince() {
      return idleSince == IN_USE ? now : idleSince;
    }

    @Override
    public boolean tryLeave(long since) {
      return !staysInUse || idleSince == since;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private Thing thing(String name) {
    return things.computeIfAbsent(name, Thing::new);
  }

  private void fill(String client, String... names) {
    for (String name : names) {
      assertThat(places.add(client, thing(name))).isEmpty();
    }
  }

  private void idle(String name, long time) {
    thing(name).idleSince = now - time;
  }

  private Optional<String> add(String client, String name) {
    return places.add(client, thing(name)).map(Thing::toString);
  }

  @Test
  void aSingleClientMayUseAllPlaces() {
    fill("a", "1", "2", "3", "4");
    assertThat(add("a", "5")).contains("5");
    assertThat(places.size()).isEqualTo(4);
  }

  @Test
  void aNewClientReplacesAHolderOfTheLargestClient() {
    fill("a", "1", "2", "3");
    fill("b", "4");
    assertThat(add("c", "5")).as("the oldest where all are in use").contains("1");
    assertThat(places.all().stream().map(Thing::toString))
        .containsExactlyInAnyOrder("2", "3", "4", "5");
    assertThat(add("c", "6")).as("as many as a would have left").contains("6");
  }

  @Test
  void theLongestIdleHolderIsReplacedFirst() {
    fill("a", "1", "2", "3", "4");
    now += 10;
    idle("2", 5);
    idle("3", 7);
    assertThat(add("b", "5")).contains("3");
    assertThat(add("b", "6")).contains("2");
    assertThat(add("b", "7")).as("both have two").contains("7");
    assertThat(places.size("a")).isEqualTo(2);
  }

  @Test
  void aClientMayReplaceItsOwnHolderAfterALongIdleTime() {
    fill("a", "1", "2", "3", "4");
    now += 20_000;
    idle("2", 9_999);
    assertThat(add("a", "5")).contains("5");
    now++;
    assertThat(add("a", "5")).contains("2");
  }

  @Test
  void clientsWithOnePlaceKeepAnIdleHolder() {
    fillByFour(places);
    now += 20_000;
    idle("2", 20_000);
    assertThat(add("e", "5")).contains("5");
  }

  @Test
  void aNewcomerMayReplaceTheLongestIdleOfALargerClient() {
    SharedPlaces<Thing> replacing = places(Stalled.OWN_OR_OF_LARGER_LEAVES);
    fillByFour(replacing);
    now += 20_000;
    idle("2", 9_999);
    assertThat(replacing.add("e", thing("5"))).contains(thing("5"));
    idle("2", 10_000);
    idle("3", 10_001);
    assertThat(replacing.add("a", thing("6"))).as("a has no fewer").contains(thing("6"));
    assertThat(replacing.add("e", thing("7"))).contains(thing("3"));
    assertThat(replacing.all().stream().map(Thing::toString))
        .containsExactlyInAnyOrder("1", "2", "4", "7");
  }

  private void fillByFour(SharedPlaces<Thing> shared) {
    List<String> clients = List.of("a", "b", "c", "d");
    for (int i = 0; i < clients.size(); i++) {
      assertThat(shared.add(clients.get(i), thing(String.valueOf(i + 1)))).isEmpty();
    }
  }

  @Test
  void aHolderInUseMayRefuseToLeave() {
    Stream.of("1", "2", "3").forEach(name -> thing(name).staysInUse = true);
    fill("a", "1", "2", "3");
    fill("b", "4");
    assertThat(add("c", "5")).contains("5");
    now++;
    idle("2", 1);
    assertThat(add("c", "5")).contains("2");
  }

  @Test
  void theNextLargestClientLosesOneIfTheLargestIsInUse() {
    SharedPlaces<Thing> staying = new SharedPlaces<>(5, () -> now);
    Stream.of("1", "2", "3").forEach(name -> thing(name).staysInUse = true);
    Stream.of("1", "2", "3").forEach(name -> staying.add("a", thing(name)));
    Stream.of("4", "5").forEach(name -> staying.add("b", thing(name)));
    assertThat(staying.add("c", thing("6"))).contains(thing("4"));
  }

  @Test
  void theNextSearchContinuesWhereABoundedOneEnded() {
    SharedPlaces<Thing> many = new SharedPlaces<>(200, () -> now);
    for (int i = 0; i < 200; i++) {
      Thing thing = new Thing(String.valueOf(i));
      thing.staysInUse = true;
      many.add("a", thing);
      if (i == 150) {
        thing.idleSince = now;
      }
    }
    now++;
    Thing newcomer = new Thing("newcomer");
    assertThat(many.add("b", newcomer)).contains(newcomer);
    assertThat(many.add("b", newcomer)).contains(newcomer);
    assertThat(many.add("b", newcomer).map(Thing::toString)).contains("150");
  }

  @Test
  void anEndedHolderFreesItsPlaceOnce() {
    fill("a", "1", "2", "3", "4");
    places.remove(thing("4"));
    places.remove(thing("4"));
    places.remove(thing("none"));
    fill("b", "5");
    assertThat(places.size("b")).isEqualTo(1);
    places.remove(thing("5"));
    assertThat(places.size("b")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void randomAdditionsAgreeWithAModel(Stalled stalled) {
    Random random = Seed.random(this);
    for (int round = 0; round < 100; round++) {
      Model model = new Model(stalled);
      SharedPlaces<Thing> shared = new SharedPlaces<>(Model.MAX, () -> now, stalled, STALLED);
      for (int i = 0; i < 100; i++) {
        now += random.nextInt(3_000);
        model.any(random).ifPresent(thing -> thing.idleSince = random.nextBoolean() ? IN_USE : now);
        Thing added = new Thing(round + "." + i);
        Object client = Math.min(random.nextInt(12), random.nextInt(12));
        assertThat(shared.add(client, added)).isEqualTo(model.add(client, added));
        if (random.nextInt(4) == 0) {
          model.any(random).ifPresent(thing -> model.remove(shared, thing));
        }
      }
    }
  }

  /** The rule in full, without its bounds on time. */
  private final class Model {
    private static final int MAX = 10;

    private final Stalled stalled;
    private final Map<Object, Set<Thing>> byClient = new LinkedHashMap<>();

    private Model(Stalled stalled) {
      this.stalled = stalled;
    }

    private Optional<Thing> any(Random random) {
      List<Thing> all = byClient.values().stream().flatMap(Set::stream).toList();
      return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private Optional<Thing> add(Object client, Thing added) {
      int size = byClient.values().stream().mapToInt(Set::size).sum();
      Optional<Thing> leaving = size < MAX ? Optional.empty() : leaving(client, added);
      if (!leaving.equals(Optional.of(added))) {
        leaving.ifPresent(this::remove);
        byClient.computeIfAbsent(client, first -> new LinkedHashSet<>()).add(added);
      }
      return leaving;
    }

    private Optional<Thing> leaving(Object client, Thing added) {
      Set<Thing> mine = byClient.getOrDefault(client, Set.of());
      Set<Thing> most = Collections.max(byClient.values(), Comparator.comparingInt(Set::size));
      if (most.size() >= mine.size() + 2) {
        return longestIdle(most.stream());
      }
      return (stalled == Stalled.STAYS ? Optional.<Thing>empty() : longestStalled(mine.stream()))
          .or(() -> longestStalled(ofLarger(mine.size())))
          .or(() -> Optional.of(added));
    }

    private Stream<Thing> ofLarger(int size) {
      return stalled == Stalled.OWN_OR_OF_LARGER_LEAVES
          ? byClient.values().stream().filter(held -> held.size() > size).flatMap(Set::stream)
          : Stream.empty();
    }

    private Optional<Thing> longestStalled(Stream<Thing> some) {
      return longestIdle(some.filter(thing -> now - thing.idleSince() >= STALLED));
    }

    private Optional<Thing> longestIdle(Stream<Thing> some) {
      return some.max(Comparator.comparingLong(thing -> now - thing.idleSince()));
    }

    private void remove(SharedPlaces<Thing> shared, Thing thing) {
      remove(thing);
      shared.remove(thing);
    }

    private void remove(Thing thing) {
      byClient.values().removeIf(held -> held.remove(thing) && held.isEmpty());
    }
  }
}
