package hourglass.query.count;

import hourglass.query.fair.AnswerBytes;
import hourglass.query.values.ValueTally;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Gathers texts for a tally. Used by one thread at a time. */
final class TextGatherer {
  private static final int TEXTS_MAX = 1_024;

  private final ValueTally tally;
  private final AnswerBytes.Account account;
  private final int bytesMax;

  /** The texts so far. The array is small at first, since most types have few events in an hour. */
  private byte[] gathered = new byte[256];

  private int[] ends = new int[16];
  private int[] counts = new int[16];
  private int size;
  private int end;

  /** The account is kept equal to the size of the tally. */
  TextGatherer(ValueTally tally, AnswerBytes.Account account, int bytesMax) {
    this.tally = tally;
    this.account = account;
    this.bytesMax = bytesMax;
  }

  void add(byte[] bytes, int from, int length, int events) {
    add(ByteBuffer.wrap(bytes, from, length), events);
  }

  /** Adds the rest of {@code text}, which is then empty. */
  void add(ByteBuffer text, int events) {
    int length = text.remaining();
    makeRoom(length);
    text.get(gathered, end, length);
    end += length;
    counts[size] = events;
    ends[size++] = end;
  }

  private void makeRoom(int length) {
    if (size == TEXTS_MAX || end + length > bytesMax) {
      flush();
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 4 * size);
      counts = Arrays.copyOf(counts, 4 * size);
    }
    if (end + length > gathered.length) {
      gathered = Arrays.copyOf(gathered, Math.max(end + length, 2 * gathered.length));
    }
  }

  void flush() {
    long grown = tally.add(gathered, ends, counts, size);
    size = 0;
    end = 0;
    if (grown > 0) {
      account.take(grown);
    } else {
      account.give(-grown);
    }
  }
}
