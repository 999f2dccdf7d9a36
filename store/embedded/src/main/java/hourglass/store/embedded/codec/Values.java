package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;

/** The values of a field as they are read: one after the other, in the order of columns. */
abstract class Values {
  /** Reads the field's data, once all descriptions are read. */
  abstract void load(FieldData data, int count);

  /** Skips the next value, and returns its length in bytes. */
  abstract long length();

  /**
   * Writes the next value.
   *
   * @param out has {@link ByteWords#SLACK} after {@code end}
   * @return the position after it; beyond {@code end} if it does not fit
   */
  abstract int write(byte[] out, int at, int end);

  static Values describe(PageInput description) {
    int kind = description.getByte();
    return switch (kind) {
      case ColumnsLayout.CONSTANT -> new ConstantValues(description);
      case ColumnsLayout.DICTIONARY -> new DictionaryValues(description);
      case ColumnsLayout.TEXT -> new TextValues();
      case ColumnsLayout.DECIMAL -> new DecimalValues(description);
      case ColumnsLayout.TIME -> new TimeValues(description);
      case ColumnsLayout.HEX -> new HexValues(description);
      case ColumnsLayout.PATTERN -> new PatternValues(description);
      default -> throw new CorruptException("page: fields of kind " + kind + " are unknown");
    };
  }

  /** Copies a value that may be longer than the slack. */
  static int copy(byte[] source, int from, int length, byte[] out, int at, int end) {
    if (length > end - at) {
      throw new CorruptException("page: values are longer than the payloads together");
    }
    ByteWords.copy(source, from, out, at, length);
    return at + length;
  }
}
