package hourglass.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The same of records whose values are scanned in the one array that all of them came in. */
class RecordBatchInPlaceTest extends RecordBatchTest {
  /** What may follow a value: no headers, and then whatever the next record begins with. */
  private static final String BEHIND = "\0}]\"9,";

  private final byte[] answer = new byte[16 << 10];
  private int used = 3;

  @Override
  ByteBuffer bytes(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    ByteBuffer placed = ByteBuffer.wrap(answer, used, bytes.length).slice();
    for (byte b : (value + BEHIND).getBytes(StandardCharsets.UTF_8)) {
      answer[used++] = b;
    }
    return placed;
  }

  @AfterEach
  void nothingWasCopied() {
    assertThat(batch.lentBytes()).isEqualTo(answer.length);
  }

  @Test
  void aBatchThatWasCopiedIsTheSameAndHoldsNothing() {
    batch.add(1, 7_000, bytes("{\"n\":1}"), false).add(2, -1, bytes(""), false);
    RecordBatch lent = batch.build();
    RecordBatch copied = lent.copied();
    assertThat(copied.lentBytes()).isZero();
    assertThat(copied.size()).isEqualTo(2);
    assertThat(copied.bytes()).isEqualTo(lent.bytes());
    for (int i = 0; i < 2; i++) {
      assertThat(copied.value(i)).isEqualTo(lent.value(i));
      assertThat(copied.offset(i)).isEqualTo(lent.offset(i));
      assertThat(copied.millis(i)).isEqualTo(lent.millis(i));
    }
  }
}
