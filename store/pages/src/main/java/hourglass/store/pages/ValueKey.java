package hourglass.store.pages;

import org.jspecify.annotations.Nullable;

/**
 * Packs the values of a column into a key, to count columns with equal values together. The values
 * are entries of dictionaries, and above them one decimal that is small and not negative. Not
 * thread-safe.
 *
 * <pre>
 *   decimal (the rest) | entry of value n (8) ... of value 0 (8) | shape (8)
 * </pre>
 */
final class ValueKey {
  private static final int KEY_BITS = Long.SIZE - 1;

  /**
   * The number of columns after which decimals that hardly repeat are no longer counted by keys.
   */
  private static final int TRIED_COLUMNS = 512;

  private final int shape;
  private final Values[] values;
  private final @Nullable DecimalValues decimal;

  /** The bit at which the decimal begins. */
  private final int decimalShift;

  private boolean pays = true;
  private int tried;
  private int found;

  private ValueKey(int shape, Values[] values, @Nullable DecimalValues decimal, int decimalShift) {
    this.shape = shape;
    this.values = values;
    this.decimal = decimal;
    this.decimalShift = decimalShift;
  }

  /** Creates a key for values that a shape has once each; null if they do not fit into a key. */
  static @Nullable ValueKey of(int shape, Values[] values) {
    int decimalShift = (values.length + 1) * Byte.SIZE;
    DecimalValues decimal = null;
    for (Values each : values) {
      if (each instanceof DecimalValues decimals && decimal == null) {
        decimal = decimals;
      } else if (!(each instanceof DictionaryValues)) {
        return null;
      }
    }
    return decimalShift < KEY_BITS ? new ValueKey(shape, values, decimal, decimalShift) : null;
  }

  /** Returns the key of the next values, which stay the next ones; -1 if they have none. */
  long next() {
    long key = decimal == null ? 0 : decimal.peek();
    if (!pays || key >>> (KEY_BITS - decimalShift) != 0) {
      return -1;
    }
    for (int v = values.length - 1; v >= 0; v--) {
      key =
          key << Byte.SIZE | (values[v] instanceof DictionaryValues entries ? entries.entry() : 0);
    }
    return key << Byte.SIZE | shape;
  }

  /**
   * Notes whether a key was new. If most of the first keys with a decimal are new, {@link #next}
   * returns no more keys.
   */
  void note(boolean isNew) {
    found += isNew ? 1 : 0;
    pays = decimal == null || ++tried != TRIED_COLUMNS || found < TRIED_COLUMNS / 4 * 3;
  }

  /** The dictionary that is the only value; null if there is another one, or none. */
  @Nullable DictionaryValues onlyDictionary() {
    return values.length == 1 && values[0] instanceof DictionaryValues only ? only : null;
  }

  /** The key of an entry of {@link #onlyDictionary}. */
  long ofEntry(int entry) {
    return (long) entry << Byte.SIZE | shape;
  }

  static int shape(long key) {
    return (int) (key & 0xff);
  }

  /** Writes a value of a key, like {@link Values#write}. */
  int write(int value, long key, byte[] out, int at, int end) {
    if (values[value] instanceof DictionaryValues entries) {
      int entry = (int) (key >>> (value + 1) * Byte.SIZE) & 0xff;
      return entries.write(entry, out, at, end);
    }
    return ((DecimalValues) values[value]).write(key >>> decimalShift, out, at);
  }
}
