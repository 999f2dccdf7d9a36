package hourglass.store.embedded.page;

import hourglass.store.CorruptException;

/** Values that are entries of a dictionary. */
final class DictionaryValues extends Values {
  private static final long[] NONE = new long[0];

  private final byte[] bytes;
  private final int[] starts;
  private final int[] lengths;
  private long[] entries = NONE;
  private int next;

  DictionaryValues(PageInput description) {
    int count = description.getCount("entries", ColumnsLayout.ENTRIES_MAX);
    bytes = description.array();
    starts = new int[count];
    lengths = new int[count];
    for (int i = 0; i < count; i++) {
      lengths[i] = description.getCount("length of an entry", description.remaining());
      starts[i] = description.skip(lengths[i]);
    }
  }

  @Override
  void load(FieldData data, int count) {
    entries = data.numbers(count);
    for (long entry : entries) {
      if (entry < 0 || entry >= starts.length) {
        throw new CorruptException("page: entry " + entry + " of " + starts.length);
      }
    }
  }

  @Override
  long length() {
    return lengths[(int) entries[next++]];
  }

  @Override
  int write(byte[] out, int at, int end) {
    int entry = (int) entries[next++];
    return copy(bytes, starts[entry], lengths[entry], out, at, end);
  }
}
