package hourglass.store.pages;

import static java.util.Objects.requireNonNull;

import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;
import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.PageInput;
import org.jspecify.annotations.Nullable;

/**
 * The distinct texts of a field: entries of a dictionary, or patterns. They are in the description
 * of the page, or apart from it, and then unpacked on first use. Not thread-safe.
 */
final class Entries {
  private final int count;
  private final boolean areApart;
  private @Nullable Run run;

  // These are set once the entries are read. The array of bytes has the slack.
  byte[] bytes = new byte[0];
  int[] starts = new int[0];
  int[] lengths = new int[0];

  private record Run(CompressedBytes frames, PageInput in, int rawBytes) {
    PageInput unpack() {
      byte[] raw = frames.read(in, "entries", rawBytes, new byte[rawBytes + ByteWords.SLACK]);
      return new PageInput(raw, 0, rawBytes);
    }
  }

  private Entries(PageInput description, boolean areApart) {
    count = description.getCountFrom1("entries", Dictionary.ENTRIES_MAX);
    this.areApart = areApart;
    if (!areApart) {
      read(description);
    }
  }

  static Entries inside(PageInput description) {
    return new Entries(description, false);
  }

  static Entries apart(PageInput description) {
    return new Entries(description, true);
  }

  int count() {
    return count;
  }

  /**
   * Passes the run of entries that lie apart, which must follow in the input.
   *
   * @return its unpacked bytes, at most {@code bytesMax}
   */
  int pass(PageInput in, CompressedBytes frames, int bytesMax) {
    if (!areApart) {
      return 0;
    }
    int from = in.position();
    int rawBytes = in.getCount("entries", bytesMax);
    in.rewind(from);
    frames.skip(in, "entries");
    run = new Run(frames, new PageInput(in.array(), from, in.position()), rawBytes);
    return rawBytes;
  }

  /** Unpacks entries that lie apart, on the first call. */
  void read() {
    if (starts.length > 0) {
      return;
    }
    PageInput in = requireNonNull(run, "the run was not passed").unpack();
    read(in);
    in.finish();
    if (hasCompound()) {
      throw new CorruptException("page: an array or object among entries apart");
    }
  }

  private void read(PageInput in) {
    bytes = in.array();
    starts = new int[count];
    lengths = new int[count];
    for (int i = 0; i < count; i++) {
      lengths[i] = in.getCount("length of an entry", in.remaining());
      starts[i] = in.skip(lengths[i]);
    }
  }

  /**
   * Whether an entry may be an array or object. Entries apart are not, so this does not unpack
   * them.
   */
  boolean mayBeCompound() {
    return !areApart && hasCompound();
  }

  private boolean hasCompound() {
    for (int i = 0; i < count; i++) {
      if (Values.isCompound(bytes, starts[i], lengths[i])) {
        return true;
      }
    }
    return false;
  }

  int end(int entry) {
    return starts[entry] + lengths[entry];
  }
}
