package hourglass.store.embedded.files;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The page files that are open for reading: the most recently used ones, up to a limit. A file that
 * is being read stays open. Thread-safe.
 */
final class OpenPageFiles implements Closeable {
  /** The most open files of a store. Systems allow a process 1,024 by default. */
  static final int OPEN_MAX = 512;

  private final Disk disk;
  private final LongFunction<Path> paths;
  private final int openMax;

  // The fields from here on are guarded by this.
  /** The open files by number, the least recently used first. */
  private final LinkedHashMap<Long, Open> open = new LinkedHashMap<>(16, 0.75f, true);

  /** The number of files that are being opened. */
  private int opening;

  private boolean isClosed;

  private static final class Open {
    private final PositionalReader reader;
    private int uses;

    private Open(PositionalReader reader) {
      this.reader = reader;
    }
  }

  /** Creates the open files; {@code paths} returns the path of a file by its number. */
  OpenPageFiles(Disk disk, LongFunction<Path> paths, int openMax) {
    this.disk = disk;
    this.paths = paths;
    this.openMax = openMax;
  }

  /**
   * Reads a file, which stays open meanwhile.
   *
   * @throws CorruptException if the file is missing; the message does not contain its name
   * @throws UnavailableException if it cannot be opened, or this is closed
   */
  <T> T read(long number, Function<PositionalReader, T> reading) {
    Open file = begin(number);
    try {
      return reading.apply(file.reader);
    } finally {
      end(number, file);
    }
  }

  private Open begin(long number) {
    Open there = beginIfOpen(number);
    if (there != null) {
      return there;
    }
    // The disk may be slow, and reads of open files need the lock.
    PositionalReader reader = null;
    try {
      reader = newReader(paths.apply(number));
    } finally {
      if (reader == null) {
        giveUp();
      }
    }
    return beginOpened(number, reader);
  }

  /** Begins to use an open file; if it is not open, there is room for it now, and this is null. */
  private synchronized @Nullable Open beginIfOpen(long number) {
    if (isClosed) {
      throw closed(number);
    }
    Open file = open.get(number);
    if (file != null) {
      file.uses++;
      return file;
    }
    opening++;
    closeUnused(openMax - opening);
    return null;
  }

  private synchronized void giveUp() {
    opening--;
  }

  private synchronized Open beginOpened(long number, PositionalReader reader) {
    opening--;
    Open file = open.get(number);
    if (isClosed || file != null) { // another thread was faster
      reader.close();
    }
    if (isClosed) {
      throw closed(number);
    }
    if (file == null) {
      file = new Open(reader);
      open.put(number, file);
    }
    file.uses++;
    return file;
  }

  private UnavailableException closed(long number) {
    return new UnavailableException(paths.apply(number) + ": closed");
  }

  private PositionalReader newReader(Path file) {
    if (!FileKind.FILE.isAt(file)) {
      throw new CorruptException("the file is missing");
    }
    try {
      return new PositionalReader(disk, file);
    } catch (IOException e) {
      throw new UnavailableException(file + ": cannot be opened: " + FileProblem.of(e), e);
    }
  }

  private synchronized void end(long number, Open file) {
    file.uses--;
    if (file.uses == 0 && open.get(number) != file) {
      file.reader.close(); // it was forgotten meanwhile
    } else if (open.size() + opening > openMax) {
      closeUnused(openMax - opening);
    }
  }

  /** Closes files that nobody reads, the least recently used first, until {@code most} are left. */
  private void closeUnused(int most) {
    Iterator<Map.Entry<Long, Open>> oldest = open.entrySet().iterator();
    while (open.size() > most && oldest.hasNext()) {
      Open file = oldest.next().getValue();
      if (file.uses == 0) {
        file.reader.close();
        oldest.remove();
      }
    }
  }

  /** Closes a file, now or when its last reader ends. */
  synchronized void forget(long number) {
    Open file = open.remove(number);
    if (file != null && file.uses == 0) {
      file.reader.close();
    }
  }

  synchronized int count() {
    return open.size() + opening;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    open.values().forEach(file -> file.reader.close());
    open.clear();
  }
}
