package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import java.util.BitSet;
import java.util.function.Supplier;

/** Texts one after the other, with their lengths apart. */
final class TextValues extends Values {
  private byte[] bytes = new byte[0];
  private long[] lengths = new long[0];
  private int position;

  @Override
  void load(ValuesSource source, int count, Supplier<long[]> ticks) {
    lengths = source.forAll().numbers(count);
    bytes = source.text(lengths);
  }

  @Override
  void pass(ValuesSource source, int count) {
    source.passNumbers(count);
    source.passText();
  }

  @Override
  void skip(int count) {
    for (int end = next + count; next < end; next++) {
      position += (int) lengths[next];
    }
  }

  @Override
  void rewind() {
    super.rewind();
    position = 0;
  }

  @Override
  boolean mayBeCompound() {
    return true;
  }

  @Override
  BitSet having(ByteSearch text, int count, byte[] room, int end) {
    BitSet having = new BitSet(count);
    int total = bytes.length - ByteWords.SLACK;
    int value = -1;
    int valueEnd = 0;
    for (int at; (at = text.find(bytes, valueEnd, total)) >= 0; ) {
      while (valueEnd <= at) {
        valueEnd += (int) lengths[++value];
      }
      having.set(value, at + text.length() <= valueEnd); // if not, the text crosses two values
    }
    return having;
  }

  @Override
  long length() {
    return lengths[next++];
  }

  @Override
  int write(byte[] out, int at, int end) {
    int length = (int) lengths[next++];
    int from = position;
    position += length;
    return copy(bytes, from, length, out, at, end);
  }
}
