package hourglass.store.embedded.codec;

/** Values that are entries of a dictionary. */
final class DictionaryValues extends Values {
  private final byte[] bytes;
  private final int[] starts;
  private final int[] lengths;
  private byte[] entries = new byte[0];
  private int next;

  DictionaryValues(PageInput description) {
    int count = description.getCountFrom1("entries", Dictionary.ENTRIES_MAX);
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
    entries = data.indexes(count, starts.length);
  }

  @Override
  long length() {
    return lengths[entries[next++] & 0xff];
  }

  @Override
  int write(byte[] out, int at, int end) {
    int entry = entries[next++] & 0xff;
    return copy(bytes, starts[entry], lengths[entry], out, at, end);
  }
}
