package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom.Leaves;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedRoomTest {
  private static final long MAX = 1_000;

  private final SharedRoom room = new SharedRoom(MAX);

  private long fill(Object client) {
    long taken = 0;
    while (room.take(room.holder(client), 1)) {
      taken++;
    }
    return taken;
  }

  @Test
  void aSingleClientGetsThreeQuarters() {
    assertThat(fill("a")).isEqualTo(750).isEqualTo(room.ofOne());
  }

  @Test
  void aNewClientAlwaysGetsAShare() {
    for (int client = 0; client < 4; client++) {
      long free = MAX - room.total();
      assertThat(fill(client)).isEqualTo(free - (free + 3) / 4).isPositive();
    }
  }

  @Test
  void aRequestBeyondTheShareReservesNothing() {
    assertThat(room.take("a", 751)).isFalse();
    assertThat(room.total()).isZero();
    assertThat(room.take("a", 750)).isTrue();
    assertThat(room.take("a", 0)).isTrue();
  }

  /** In turn, each client releases a tenth of its units and takes as many as it can. */
  @Test
  void sharesConvergeAsReservationsEnd() {
    List<String> clients = List.of("a", "b", "c");
    clients.forEach(this::fill);
    for (int round = 0; round < 100; round++) {
      for (String client : clients) {
        room.release(client, room.held(client) / 10);
        fill(client);
      }
    }
    assertThat(clients).allMatch(client -> Math.abs(room.held(client) - 300) <= 1);
  }

  @Test
  void unownedReservationsAreNotLimitedByAShare() {
    room.add(SharedRoom.NOBODY, 600);
    assertThat(room.left("a")).isEqualTo(300);
    assertThat(room.left(SharedRoom.NOBODY)).isEqualTo(400);
    assertThat(room.take(SharedRoom.NOBODY, 400)).isTrue();
    assertThat(room.left("a")).isZero();
    assertThat(room.largest(10)).isEmpty();
  }

  @Test
  void anOverfullRoomLeavesNothing() {
    room.add("a", MAX + 100);
    assertThat(room.left("a")).isZero();
    assertThat(room.left("b")).isZero();
    room.release("a", MAX + 100);
    assertThat(room.left("a")).isEqualTo(750);
  }

  @Test
  void aRoomOfOneUnitHoldsOneReservation() {
    SharedRoom one = new SharedRoom(1);
    assertThat(one.take("a", 1)).isTrue();
    assertThat(one.take("b", 1)).isFalse();
    SharedRoom two = new SharedRoom(2);
    assertThat(two.take("a", 1)).isTrue();
    assertThat(two.take("a", 1)).isFalse();
    assertThat(two.take("b", 1)).isTrue();
  }

  @Test
  void theLargestHoldersAreListed() {
    room.add("a", 10);
    room.add("b", 30);
    room.add("c", 20);
    assertThat(room.largest(2))
        .containsExactly(new SharedRoom.Holding("b", 30), new SharedRoom.Holding("c", 20));
  }

  @Test
  void clientsBeyondTheBoundShareOneEntry() {
    SharedRoom large = new SharedRoom(10L * SharedRoom.CLIENTS_MAX);
    List<Object> holders = new ArrayList<>();
    IntStream.range(0, SharedRoom.CLIENTS_MAX + 2)
        .forEach(
            client -> {
              holders.add(large.holder(client));
              assertThat(large.take(large.holder(client), 1)).isTrue();
            });
    assertThat(holders.subList(SharedRoom.CLIENTS_MAX, holders.size()))
        .containsOnly(SharedRoom.OTHERS);
    assertThat(large.held(SharedRoom.OTHERS)).isEqualTo(2);
    holders.forEach(holder -> large.release(holder, 1));
    assertThat(large.total()).isZero();
    assertThat(large.largest(10)).isEmpty();
  }

  @Test
  void withLeaveHalfAClientHoldsAtMostWhatIsFree() {
    SharedRoom half = new SharedRoom(100, Leaves.HALF);
    assertThat(half.open("a").tryTake(50)).isTrue();
    assertThat(half.open("a").tryTake(1)).as("the same client").isFalse();
    assertThat(half.open("b").tryTake(26)).isFalse();
    assertThat(half.open("b").tryTake(25)).isTrue();
    assertThat(half.open("c").tryTake(12)).isTrue();
  }

  @Test
  void leavingLessAllowsAReservationBeyondTheShare() {
    SharedRoom.Account large = room.open("a");
    assertThat(large.tryTake(750)).isTrue();
    SharedRoom.Account little = room.open("a");
    assertThat(little.tryTake(1)).isFalse();
    assertThat(little.tryTake(125, Leaves.EIGHTH)).isTrue();
    assertThat(little.tryTake(1, Leaves.EIGHTH)).isFalse();
  }

  @Test
  void unitsReturnedByAnAccountAreFree() {
    SharedRoom.Account first = room.open("a");
    assertThat(first.tryTake(300)).isTrue();
    assertThat(first.tryTake(200)).isTrue();
    first.give(200);
    assertThat(room.total()).isEqualTo(300);
    first.give(301);
    assertThat(first.held()).as("it holds less").isEqualTo(300);
    first.keep(100);
    first.keep(200);
    assertThat(first.held()).isEqualTo(100);
    first.keep(0);
    assertThat(room.total()).isZero();
    assertThat(first.tryTake(750)).as("it may take again").isTrue();
  }

  @Test
  void aClosedAccountHoldsNothing() {
    SharedRoom.Account first = room.open("a");
    SharedRoom.Account second = room.open("a");
    assertThat(first.tryTake(10)).isTrue();
    assertThat(second.tryTake(5)).isTrue();
    first.close();
    first.close();
    first.give(1);
    assertThat(first.isClosed()).isTrue();
    assertThat(first.tryTake(1)).isFalse();
    assertThat(room.held("a")).isEqualTo(5);
  }

  @Test
  void theLargestRoomDoesNotOverflow() {
    SharedRoom endless = new SharedRoom(Long.MAX_VALUE);
    assertThat(endless.ofOne()).isGreaterThan(Long.MAX_VALUE / 4 * 3 - 2);
    assertThat(endless.open("a").tryTake(Long.MAX_VALUE / 2)).isTrue();
    assertThat(endless.left("b")).isPositive();
  }
}
