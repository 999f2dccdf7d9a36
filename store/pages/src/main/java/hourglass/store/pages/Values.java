package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.PageInput;
import java.util.BitSet;
import java.util.function.Supplier;

/** The values of a field in the order of columns; see {@link ColumnsLayout} for the kinds. */
abstract class Values {
  int next;

  /**
   * Passes the entries that lie apart, and returns their unpacked bytes; see {@link Entries#pass}.
   */
  int passEntries(PageInput in, CompressedBytes frames, int bytesMax) {
    return 0;
  }

  /** Loads the values; {@code ticks} are those of the column of each value. */
  abstract void load(ValuesSource source, int count, Supplier<long[]> ticks);

  /** Moves the source after the values without reading them. */
  abstract void pass(ValuesSource source, int count);

  /** The length of the next value. It advances to the value after it, like {@link #write}. */
  abstract long length();

  void skip(int count) {
    next += count;
  }

  /** Goes back to the first value. */
  void rewind() {
    next = 0;
  }

  /** Whether a value may be an array or object. */
  boolean mayBeCompound() {
    return false;
  }

  /**
   * Writes the next value. Returns the position after it, or one beyond {@code end} if it does not
   * fit. The array has {@link ByteWords#SLACK} after {@code end}.
   */
  abstract int write(byte[] out, int at, int end);

  /** Whether a value may contain the text, before values are loaded. */
  boolean mayHave(ByteSearch text) {
    return true;
  }

  /**
   * Returns the numbers of the values that contain the text. Before and after the call, the next
   * value is the first.
   *
   * @param room has {@link ByteWords#SLACK} after {@code end}
   */
  BitSet having(ByteSearch text, int count, byte[] room, int end) {
    BitSet having = new BitSet(count);
    for (int i = 0; i < count; i++) {
      having.set(i, nextHas(text, room, end));
    }
    rewind();
    return having;
  }

  boolean nextHas(ByteSearch text, byte[] room, int end) {
    int length = write(room, 0, end);
    if (length > end) {
      throw new CorruptException("page: values are longer than the payloads together");
    }
    return text.find(room, 0, length) >= 0;
  }

  static Values describe(PageInput description) {
    int kind = description.getByte();
    return switch (kind) {
      case ColumnsLayout.CONSTANT -> new ConstantValues(description);
      case ColumnsLayout.DICTIONARY -> new DictionaryValues(Entries.inside(description));
      case ColumnsLayout.DICTIONARY_APART -> new DictionaryValues(Entries.apart(description));
      case ColumnsLayout.TEXT -> new TextValues(true);
      case ColumnsLayout.TEXT_WITHOUT_ESCAPES -> new TextValues(false);
      case ColumnsLayout.DECIMAL -> DecimalValues.read(description);
      case ColumnsLayout.TIME -> TimeValues.read(description);
      case ColumnsLayout.HEX -> HexValues.read(description);
      case ColumnsLayout.PATTERN -> PatternValues.inside(Entries.inside(description));
      case ColumnsLayout.PATTERN_APART -> PatternValues.apart(description);
      default -> throw new CorruptException("page: fields of kind " + kind + " are unknown");
    };
  }

  /** Copies a value, which may be longer than the slack. */
  static int copy(byte[] source, int from, int length, byte[] out, int at, int end) {
    if (length > end - at) {
      throw new CorruptException("page: values are longer than the payloads together");
    }
    ByteWords.copy(source, from, out, at, length);
    return at + length;
  }

  static boolean isCompound(byte[] bytes, int from, int length) {
    return length > 0 && (bytes[from] == '{' || bytes[from] == '[');
  }

  /** One value for all columns, which is included in the parts of payloads. */
  static final class ConstantValues extends Values {
    final int start;

    final int length;

    private ConstantValues(PageInput description) {
      length = description.getCount("length of a value", description.remaining());
      start = description.skip(length);
    }

    @Override
    void load(ValuesSource source, int count, Supplier<long[]> ticks) {}

    @Override
    void pass(ValuesSource source, int count) {}

    @Override
    long length() {
      return length;
    }

    @Override
    int write(byte[] out, int at, int end) {
      throw new IllegalStateException("a constant is part of its shape");
    }
  }

  /** Texts one after the other, with their lengths apart. */
  private static final class TextValues extends Values {
    /** Whether a value may have a backslash. */
    private final boolean mayHaveEscapes;

    private byte[] bytes = new byte[0];
    private long[] lengths = new long[0];
    private int position;

    TextValues(boolean mayHaveEscapes) {
      this.mayHaveEscapes = mayHaveEscapes;
    }

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
    boolean mayHave(ByteSearch text) {
      byte[] sought = text.text();
      return mayHaveEscapes || ByteWords.find((byte) '\\', sought, 0, sought.length) < 0;
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
}
