package hourglass.store.pages;

import hourglass.store.pages.runs.PageInput;
import java.util.function.Supplier;

/** One value for all columns, which is included in the parts of payloads. */
final class ConstantValues extends Values {
  final int start;

  final int length;

  ConstantValues(PageInput description) {
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
