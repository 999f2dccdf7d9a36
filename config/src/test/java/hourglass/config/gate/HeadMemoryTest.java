package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.access.SharedRoom;
import org.junit.jupiter.api.Test;

class HeadMemoryTest {
  private static final int STEP = RequestMemory.USUAL_BYTES;

  private final SharedRoom.Account account = RequestMemory.of(16 * STEP).open("127.0.0.1");
  private final HeadMemory memory = new HeadMemory(account);

  @Test
  void oneHeadOfUsualSizeReservesNothing() {
    memory.keepArriving(STEP);
    memory.endHead(STEP);
    assertThat(account.held()).isZero();
  }

  @Test
  void theArrivingHeadIsKeptWhenAnAnswerEnds() {
    memory.endHead(2 * STEP);
    memory.keepArriving(3 * STEP);
    assertThat(account.held()).isEqualTo(5 * STEP);
    memory.endAnswer();
    assertThat(account.held()).isEqualTo(3 * STEP);
    memory.endHead(3 * STEP);
    memory.endAnswer();
    assertThat(account.held()).isZero();
  }

  /** The answer of an earlier request would fail if its end asked for memory again. */
  @Test
  void anAnswerEndsAfterTheHeadBehindItWasRefused() {
    memory.endHead(2 * STEP);
    assertThatThrownBy(() -> memory.keepArriving(20 * STEP)).isInstanceOf(RefusedRequest.class);
    assertThatThrownBy(() -> memory.endHead(20 * STEP)).isInstanceOf(RefusedRequest.class);
    memory.endAnswer();
    assertThat(account.held()).isZero();
  }

  @Test
  void pipelinedRequestsAddUp() {
    int fit = 8 * STEP / RequestMemory.PIPELINED_BYTES + 1; // a client may hold half of the room
    for (int i = 0; i < fit; i++) {
      memory.endHead(0);
    }
    assertThat(account.held()).isEqualTo(8 * STEP);
    assertThatThrownBy(() -> memory.endHead(0))
        .isInstanceOfSatisfying(
            RefusedRequest.class, refused -> assertThat(refused.status()).isEqualTo(429));
    for (int i = 0; i <= fit; i++) {
      memory.endAnswer();
    }
    assertThat(account.held()).isZero();
  }
}
