package hourglass.store.pages;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The distinct texts of a field: entries of a dictionary, or patterns. They stand in the
 * description of the page, or apart from it, where they are unpacked on first use. Not thread-safe.
 */
final class Entries {
  private final int count;
  private final boolean areApart;
  private @Nullable PageInput run;
  private @Nullable CompressedBytes frames;

  // Once they are read. The array has the slack.
  byte[] bytes = new byte[0];
  int[] starts = new int[0];
  int[] lengths = new int[0];

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
   * Passes the run of entries that lie apart, which must come next.
   *
   * @return its bytes when unpacked, at most so many
   */
  int pass(PageInput in, CompressedBytes framesOfRun, int bytesMax) {
    if (!areApart) {
      return 0;
    }
    int from = in.position();
    int rawBytes = in.getCount("entries", bytesMax);
    in.rewind(from);
    framesOfRun.skip(in, "entries");
    run = new PageInput(in.array(), from, in.position());
    frames = framesOfRun;
    return rawBytes;
  }

  /** Does nothing if they are read. */
  void read() {
    if (starts.length > 0) {
      return;
    }
    PageInput packed = requireNonNull(run, "the run was not passed");
    byte[] raw =
        requireNonNull(frames).readUpTo(packed, "entries", Integer.MAX_VALUE, ByteWords.SLACK);
    PageInput in = new PageInput(raw, 0, raw.length - ByteWords.SLACK);
    read(in);
    in.finish();
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

  int end(int entry) {
    return starts[entry] + lengths[entry];
  }
}
