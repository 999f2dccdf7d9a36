package hourglass.query.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.query.AnswersFullException;
import hourglass.query.BadParameterException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AnswerBytesTest {
  private static final long MIB = 1 << 20;

  private final AnswerBytes bytes = new AnswerBytes(40 * MIB);

  @Test
  void largeAnswersLeaveAQuarterToSmallOnes() {
    AnswerBytes.Account large = bytes.open("client");
    large.take(20 * MIB);
    AnswerBytes.Account other = bytes.open("client");
    assertThat(other.tryTake(10 * MIB)).isTrue();
    assertThatThrownBy(() -> large.take(MIB))
        .isInstanceOf(AnswersFullException.class)
        .hasMessageContaining("query.max-answer-bytes");
    AnswerBytes.Account small = bytes.open("client");
    small.take(2 * MIB);
    assertThat(small.tryTake(2 * MIB)).as("not small any more").isFalse();
    assertThat(bytes.held()).isEqualTo(32 * MIB);
  }

  /** The number of small answers of the first client does not matter. */
  @Test
  void eachClientLeavesAnEighthToOthers() {
    while (bytes.open("first").tryTake(MIB / 2)) {
      // the next one
    }
    assertThat(bytes.held()).isEqualTo(35 * MIB);
    assertThat(bytes.mayBegin("first")).isFalse();
    assertThat(bytes.mayBegin("second")).as("with little left").isFalse();
    AnswerBytes.Account second = bytes.open("second");
    second.take(3 * MIB);
    assertThat(second.tryTake(MIB)).as("not little any more").isFalse();
    bytes.open("second").take(MIB);
    assertThat(bytes.open("third").tryTake(MIB / 2)).isTrue();
    second.close();
    assertThat(bytes.open("second").tryTake(2 * MIB)).isTrue();
  }

  @Test
  void aLargeAnswerMayBeginIfHalfOfItsShareIsFree() {
    bytes.open("first").take(21 * MIB);
    assertThat(bytes.mayBegin("first")).isFalse();
    assertThat(bytes.mayBegin("second")).isTrue();
    bytes.open("second").take(10 * MIB);
    assertThat(bytes.mayBegin("second")).isFalse();
  }

  @Test
  void returnedBytesAreFree() {
    AnswerBytes.Account first = bytes.open("client");
    AnswerBytes.Account second = bytes.open("client");
    first.take(30 * MIB);
    first.give(10 * MIB);
    second.take(10 * MIB);
    first.close();
    first.close();
    assertThat(bytes.held()).isEqualTo(10 * MIB);
    first.give(MIB);
    assertThat(bytes.held()).as("nothing of a closed account counts").isEqualTo(10 * MIB);
  }

  @Test
  void anAnswerTooLargeForEmptyMemoryIsRefusedForGood() {
    AnswerBytes.Account alone = bytes.open("client");
    alone.take(20 * MIB);
    assertThatThrownBy(() -> alone.take(11 * MIB))
        .isInstanceOf(BadParameterException.class)
        .hasMessageContaining("more than 31457280 bytes");
    assertThat(bytes.held()).isEqualTo(20 * MIB);
  }

  @Test
  void anEndedAnswerReservesNothing() {
    AnswerBytes.Account ended = bytes.open("client");
    ended.close();
    assertThatThrownBy(() -> ended.take(1)).isInstanceOf(CancellationException.class);
    assertThat(bytes.held()).isZero();
  }

  @Test
  void workHoldsItsMemoryUntilItIsDone() {
    AnswerBytes.Account account = bytes.open("client");
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> done = account.during(MIB, () -> work).toCompletableFuture();
    assertThat(bytes.held()).isEqualTo(MIB);
    work.completeExceptionally(new IllegalStateException("broken"));
    assertThat(done).isCompletedExceptionally();
    assertThat(bytes.held()).isZero();
    assertThat(account.during(41 * MIB, () -> work).toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(account.during(MIB, () -> throwing()).toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(bytes.held()).isZero();
  }

  private static CompletableFuture<String> throwing() {
    throw new IllegalStateException("at once");
  }
}
