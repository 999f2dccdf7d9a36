package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.gate.RequestMemory.Account;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {
  private final RequestMemory memory = new RequestMemory(100);

  @Test
  void aClientHoldsAsMuchAsIsFree() {
    Account first = memory.open("127.0.0.2");
    assertThat(first.tryTake(50)).isTrue();
    assertThat(memory.open("127.0.0.2").tryTake(1)).as("the same client").isFalse();
    assertThat(memory.open("127.0.0.3").tryTake(26)).isFalse();
    assertThat(memory.open("127.0.0.3").tryTake(25)).isTrue();
    assertThat(memory.open("127.0.0.4").tryTake(12)).isTrue();
  }

  @Test
  void whatIsGivenBackIsFree() {
    Account first = memory.open("127.0.0.2");
    assertThat(first.tryTake(30)).isTrue();
    assertThat(first.tryTake(20)).isTrue();
    first.give(20);
    assertThat(memory.held()).isEqualTo(30);
    first.giveAll();
    first.giveAll();
    assertThat(memory.held()).isZero();
    assertThat(memory.open("127.0.0.3").tryTake(50)).isTrue();
  }
}
