package hourglass.query.count;

import hourglass.query.fair.AnswerBytes;
import hourglass.query.scan.StoreAccess;
import hourglass.query.values.ValueTally;
import hourglass.query.where.json.ScalarText;
import java.util.Arrays;

/** Collects the scalars of a field, each in canonical spelling. */
public final class ValueBatch extends FieldBatch {
  /** Longer values are prose, not categories. */
  public static final int VALUE_BYTES_MAX = 4_096;

  private static final int VALUES_MAX = 1_024;
  private static final int BYTES_MAX = 16 * VALUE_BYTES_MAX;

  private final ValueTally tally;
  private final AnswerBytes.Account account;

  /** Small at first: most types have few events in an hour. */
  private byte[] gathered = new byte[256];

  private int[] ends = new int[16];
  private int[] counts = new int[16];
  private int size;
  private int end;
  private long absent;
  private long nested;
  private long tooLong;

  /** The account of {@code access} follows the size of the tally. */
  public ValueBatch(String path, ValueTally tally, StoreAccess access) {
    super(path, access.gone());
    this.tally = tally;
    account = access.account();
  }

  @Override
  void take(byte[] bytes, int from, int to, int events) {
    if (!ScalarText.begins(bytes[from])) {
      nested += events;
    } else if (to - from > VALUE_BYTES_MAX) {
      tooLong += events;
    } else if (ScalarText.isSpelled(bytes, from, to)) {
      gather(bytes, from, to - from, events);
    } else {
      byte[] spelled = ScalarText.of(bytes, from, to);
      gather(spelled, 0, spelled.length, events);
    }
  }

  /** A canonical spelling is hardly longer than the original. */
  private void gather(byte[] bytes, int from, int length, int events) {
    if (size == VALUES_MAX || end + length > BYTES_MAX) {
      flush();
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 4 * size);
      counts = Arrays.copyOf(counts, 4 * size);
    }
    if (end + length > gathered.length) {
      gathered = Arrays.copyOf(gathered, Math.max(end + length, 2 * gathered.length));
    }
    System.arraycopy(bytes, from, gathered, end, length);
    end += length;
    counts[size] = events;
    ends[size++] = end;
  }

  @Override
  void takeAbsent(long events) {
    absent += events;
  }

  @Override
  void flush() {
    long grown = tally.add(gathered, ends, counts, size);
    tally.addOthers(absent, nested, tooLong);
    size = 0;
    end = 0;
    absent = 0;
    nested = 0;
    tooLong = 0;
    if (grown > 0) {
      account.take(grown);
    } else {
      account.give(-grown);
    }
  }
}
