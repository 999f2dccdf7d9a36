package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;

/** Values that are patterns with numbers in them; see {@link PatternText}. */
final class PatternValues extends Values {
  private final byte[] bytes;

  /** For each pattern, the starts of its pieces, and the position after the last byte. */
  private final int[][] pieces;

  private final long[][] numbers = new long[PatternText.NUMBERS_MAX][];
  private final int[] nextNumber = new int[PatternText.NUMBERS_MAX];
  private byte[] patterns = new byte[0];
  private int next;

  PatternValues(PageInput description) {
    bytes = description.array();
    pieces = new int[description.getCountFrom1("patterns", Dictionary.ENTRIES_MAX)][];
    for (int p = 0; p < pieces.length; p++) {
      int length = description.getCount("length of a pattern", description.remaining());
      pieces[p] = pieces(description.skip(length), length);
    }
  }

  private int[] pieces(int from, int length) {
    int count = 0;
    for (int at = from; at < from + length; at++) {
      count += bytes[at] == 0 ? 1 : 0;
    }
    if (count > PatternText.NUMBERS_MAX) {
      throw new CorruptException("page: a pattern of " + count + " numbers");
    }
    int[] starts = new int[count + 2];
    starts[0] = from;
    starts[count + 1] = from + length + 1;
    for (int at = from, piece = 1; at < from + length; at++) {
      if (bytes[at] == 0) {
        starts[piece++] = at + 1;
      }
    }
    return starts;
  }

  @Override
  void load(FieldData data, int count) {
    patterns = data.indexes(count, pieces.length);
    int[] counts = new int[PatternText.NUMBERS_MAX];
    for (byte pattern : patterns) {
      for (int n = pieces[pattern & 0xff].length - 3; n >= 0; n--) {
        counts[n]++;
      }
    }
    for (int n = 0; n < counts.length; n++) {
      numbers[n] = data.numbers(counts[n]);
      DecimalValues.check(numbers[n], 0);
    }
  }

  @Override
  long length() {
    int[] starts = pieces[patterns[next++] & 0xff];
    int count = starts.length - 2;
    long length = (long) starts[count + 1] - starts[0] - 1 - count;
    for (int n = 0; n < count; n++) {
      length += Decimals.digits(numbers[n][nextNumber[n]++]);
    }
    return length;
  }

  @Override
  int write(byte[] out, int start, int end) {
    int[] starts = pieces[patterns[next++] & 0xff];
    int count = starts.length - 2;
    int at = start;
    for (int n = 0; n < count; n++) {
      at = copy(bytes, starts[n], starts[n + 1] - starts[n] - 1, out, at, end);
      long number = numbers[n][nextNumber[n]++];
      int digits = Decimals.digits(number);
      if (digits > end - at) {
        return end + 1;
      }
      Decimals.write(number, digits, out, at);
      at += digits;
    }
    return copy(bytes, starts[count], starts[count + 1] - starts[count] - 1, out, at, end);
  }
}
