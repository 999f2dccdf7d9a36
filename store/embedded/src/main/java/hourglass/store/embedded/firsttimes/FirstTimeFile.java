package hourglass.store.embedded.firsttimes;

import hourglass.store.CorruptException;
import hourglass.store.FirstTimes;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.QuietClose;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.frames.FramePreamble;
import hourglass.store.embedded.frames.FrameReader;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/**
 * A file of first times. See docs/first-times-format.md. Not thread-safe.
 *
 * <pre>
 * group    millis 8 | first times ({@link FirstTimesCodec})
 * </pre>
 */
final class FirstTimeFile {
  private final Path path;
  private final long number;

  /** The length of the valid part; 0 before the file has a preamble. */
  private long bytes;

  private long nextGroup = 1;

  /** Whether the file may contain invalid bytes after the valid part. */
  private boolean isTorn;

  FirstTimeFile(Path path, long number) {
    this.path = path;
    this.number = number;
  }

  interface Sink {
    /** Accepts times that were added at {@code millis} of the store's running time. */
    void add(long millis, FirstTimes times);
  }

  /** Reads the file, which must exist. A crash may have torn its end, or left it empty. */
  void load(Sink sink) throws IOException {
    FrameReader reader = FrameReader.open(path, FramePreamble.FIRST_TIMES, -1, true);
    if (reader == null) {
      return; // the next append begins it again
    }
    if (reader.preamble().number() != number) {
      throw new CorruptException(
          path + ": offset 0: this is file " + reader.preamble().number() + "; restore the file");
    }
    for (ByteBuffer group = reader.next(); group != null; group = reader.next()) {
      try {
        sink.add(group.getLong(), FirstTimesCodec.read(group));
      } catch (RuntimeException e) {
        throw new CorruptException(
            path + ": before offset " + reader.goodEnd() + ": " + e + "; restore the file", e);
      }
    }
    bytes = reader.goodEnd();
    nextGroup = reader.nextGroup();
    isTorn = reader.tornBytes() > 0;
  }

  /** Appends all times or none; they are durable on return. */
  void append(Disk disk, ByteBuffer staging, long millis, FirstTimes times) throws IOException {
    if (bytes == 0) {
      begin(disk, staging);
    }
    isTorn = true;
    bytes =
        FrameWriter.append(
            disk,
            path,
            staging,
            bytes,
            nextGroup,
            out -> {
              out.putLong(millis);
              FirstTimesCodec.write(out, times);
            });
    nextGroup++;
    isTorn = false;
  }

  /**
   * Cuts off invalid bytes at the end. An append does so too, but a file may never get another one.
   */
  void mend(Disk disk) throws IOException {
    if (isTorn) {
      try (Disk.AppendFile file = disk.append(path)) {
        file.truncate(bytes);
        file.force();
      }
      isTorn = false;
    }
  }

  /**
   * Writes the file anew without some events, if it has any of them; that is durable on return.
   *
   * @param isKept whether the event of a lower half stays
   */
  void retain(Disk disk, ByteBuffer staging, LongPredicate isKept) throws IOException {
    if (bytes == 0) {
      return;
    }
    List<FirstTimes> kept = new ArrayList<>();
    long[] millis = {0, 0}; // of the first and the last group
    boolean[] isChanged = new boolean[1];
    new FirstTimeFile(path, number)
        .load(
            (at, times) -> {
              millis[0] = kept.isEmpty() ? at : millis[0];
              millis[1] = at;
              FirstTimes rest = retained(times, isKept);
              isChanged[0] |= rest.size() < times.size();
              kept.add(rest);
            });
    if (!isChanged[0]) {
      return;
    }
    Path made = StoreFiles.unfinished(path);
    disk.delete(made); // left by a failed attempt
    long madeBytes;
    FramePreamble preamble = new FramePreamble(FramePreamble.FIRST_TIMES, number, 1, 0);
    try (Disk.AppendFile file = disk.create(made)) {
      FrameWriter out = FrameWriter.begin(file, staging, preamble);
      out.putLong(millis[0]);
      FirstTimesCodec.write(out, joined(kept));
      out.endGroup();
      out.putLong(millis[1]);
      FirstTimesCodec.write(out, FirstTimes.NONE);
      out.endGroup();
      madeBytes = out.durableSize();
    }
    disk.move(made, path);
    bytes = madeBytes;
    nextGroup = 3; // after the two groups
    isTorn = false;
    disk.forceDirectory(path.resolveSibling(""));
  }

  private static FirstTimes retained(FirstTimes times, LongPredicate isKept) {
    return at(times, IntStream.range(0, times.size()).filter(i -> isKept.test(times.lsb(i))));
  }

  private static FirstTimes at(FirstTimes times, IntStream indexes) {
    int[] kept = indexes.toArray();
    return new FirstTimes(
        IntStream.of(kept).mapToLong(times::lsb).toArray(),
        IntStream.of(kept).mapToLong(times::more).toArray(),
        IntStream.of(kept).mapToLong(times::ticks).toArray());
  }

  private static FirstTimes joined(List<FirstTimes> all) {
    int size = all.stream().mapToInt(FirstTimes::size).sum();
    long[] lsbs = new long[size];
    long[] mores = new long[size];
    long[] ticks = new long[size];
    int next = 0;
    for (FirstTimes times : all) {
      for (int i = 0; i < times.size(); i++) {
        lsbs[next] = times.lsb(i);
        mores[next] = times.more(i);
        ticks[next++] = times.ticks(i);
      }
    }
    return new FirstTimes(lsbs, mores, ticks);
  }

  private void begin(Disk disk, ByteBuffer staging) throws IOException {
    Path folder = path.resolveSibling("");
    disk.createDirectories(folder);
    disk.delete(path); // left by a failed attempt
    Disk.AppendFile file = disk.create(path);
    try {
      FramePreamble preamble = new FramePreamble(FramePreamble.FIRST_TIMES, number, 1, 0);
      FrameWriter.begin(file, staging, preamble).force();
      disk.forceDirectory(folder);
      bytes = FramePreamble.BYTES;
    } finally {
      QuietClose.quietly(file);
    }
  }

  long bytes() {
    return bytes;
  }

  /** Deletes the file, if it exists. */
  void delete(Disk disk) throws IOException {
    if (FileKind.FILE.isAt(path)) {
      disk.delete(path);
      disk.forceDirectory(path.resolveSibling(""));
    }
  }
}
