package hourglass.store.pages;

import hourglass.bytes.ByteSearch;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.PageInput;
import java.util.BitSet;
import java.util.function.Supplier;

/** A few distinct texts, and the index of one of them for each value. */
final class DictionaryValues extends Values {
  private final Entries entries;
  private byte[] indexes = new byte[0];

  DictionaryValues(Entries entries) {
    this.entries = entries;
  }

  @Override
  int passEntries(PageInput in, CompressedBytes frames, int bytesMax) {
    return entries.pass(in, frames, bytesMax);
  }

  @Override
  void load(ValuesSource source, int count, Supplier<long[]> ticks) {
    entries.read();
    indexes = source.indexes(count, entries.count());
  }

  @Override
  void pass(ValuesSource source, int count) {
    source.passIndexes(count, entries.count());
  }

  @Override
  boolean mayBeCompound() {
    return entries.mayBeCompound();
  }

  @Override
  boolean mayHave(ByteSearch text) {
    entries.read();
    return firstWith(text, 0, entries.starts[0]) < entries.count();
  }

  /**
   * The first entry at or after {@code from} that contains the text at or after the position {@code
   * behind}; the number of entries if none does. All are searched at once: only their lengths are
   * between them.
   */
  private int firstWith(ByteSearch text, int from, int behind) {
    int entry = from;
    int end = entries.end(entries.count() - 1);
    for (int at = behind; (at = text.find(entries.bytes, at, end)) >= 0; at++) {
      while (entries.end(entry) <= at) {
        entry++;
      }
      if (at >= entries.starts[entry] && at + text.length() <= entries.end(entry)) {
        return entry;
      }
    }
    return entries.count();
  }

  @Override
  BitSet having(ByteSearch text, int count, byte[] room, int end) {
    boolean[] those = new boolean[entries.count()];
    int entry = firstWith(text, 0, entries.starts[0]);
    while (entry < those.length) {
      those[entry] = true;
      entry = firstWith(text, entry, entries.end(entry));
    }
    BitSet having = new BitSet(count);
    for (int i = 0; i < count; i++) {
      if (those[indexes[i] & 0xff]) {
        having.set(i);
      }
    }
    return having;
  }

  /** The entry of the next value. */
  int entry() {
    return entry(next);
  }

  int entry(int value) {
    return indexes[value] & 0xff;
  }

  @Override
  long length() {
    return entries.lengths[indexes[next++] & 0xff];
  }

  @Override
  int write(byte[] out, int at, int end) {
    return write(indexes[next++] & 0xff, out, at, end);
  }

  int write(int entry, byte[] out, int at, int end) {
    return copy(entries.bytes, entries.starts[entry], entries.lengths[entry], out, at, end);
  }
}
