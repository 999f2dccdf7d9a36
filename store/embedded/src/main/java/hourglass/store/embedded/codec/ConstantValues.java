package hourglass.store.embedded.codec;

/** One value for all columns: the shapes take it into their parts. */
final class ConstantValues extends Values {
  private final int start;
  private final int length;

  ConstantValues(PageInput description) {
    length = description.getCount("length of a value", description.remaining());
    start = description.skip(length);
  }

  /** The start of the value in the description. */
  int start() {
    return start;
  }

  @Override
  void load(FieldData data, int count) {
    // The description has everything.
  }

  @Override
  long length() {
    return length;
  }

  @Override
  int write(byte[] out, int at, int end) {
    throw new IllegalStateException("a constant is part of its shape");
  }
}
