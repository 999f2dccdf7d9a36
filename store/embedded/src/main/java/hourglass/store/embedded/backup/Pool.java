package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.PageFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Adds files to the pool of a backup. A file has its name there only once it is whole and forced,
 * so a file that is there is never copied again. Not thread-safe.
 */
final class Pool {
  private final BackupFiles files;
  private final Disk disk;
  private final boolean links;
  private final Room room;
  private final FileCopy.Progress progress;
  private final FileCopy copy = new FileCopy();

  /** The SHA-256 of files that earlier points have, by their names in the pool. */
  private final Map<String, String> known;

  /** Throws IOException if so many more bytes have no room on the disk of the backup. */
  interface Room {
    void check(long bytes) throws IOException;
  }

  /**
   * Creates a pool.
   *
   * @param links whether page files are linked in place of a copy
   * @param known the SHA-256 of files that earlier points have, by their names in the pool
   */
  Pool(
      BackupFiles files,
      Disk disk,
      boolean links,
      Room room,
      FileCopy.Progress progress,
      Map<String, String> known) {
    this.files = files;
    this.disk = disk;
    this.links = links;
    this.room = room;
    this.progress = progress;
    this.known = known;
  }

  /**
   * Returns the name that a page file of the store has in the pool, by its number and its foot. A
   * file whose foot is damaged has none before it is read.
   */
  static String name(StoreFiles store, long number) throws IOException {
    return "%020d-%s%s"
        .formatted(number, PageFiles.identity(store, number), BackupFiles.PAGES_SUFFIX);
  }

  /** Adds a page file of the store, unless it is there. */
  PointFile addPages(StoreFiles store, long number, long bytes) throws IOException {
    Path from = store.pages(number);
    String path = "pages/" + from.getFileName();
    String name;
    try {
      name = name(store, number);
    } catch (CorruptException e) { // no read needs the foot, but it identifies the file
      return add(from, path, bytes, "%020d-".formatted(number));
    }
    String sha256 = files.hasPooled(name, bytes) ? shaOfPooled(from, bytes, name) : null;
    return new PointFile(path, bytes, name, sha256 != null ? sha256 : put(from, bytes, name));
  }

  /** Returns the SHA-256 of a file in the pool; null if it is not that of the store. */
  private @Nullable String shaOfPooled(Path from, long bytes, String name) throws IOException {
    String listed = known.get(name);
    if (listed != null) {
      return listed;
    }
    // Left by a backup that was not finished, perhaps long ago.
    String pooled = copy.digest(files.pooled(name), bytes, progress);
    return pooled.equals(digest(from, bytes)) ? pooled : null;
  }

  /** Adds the begin of any other file. It is copied first, since its bytes give its name. */
  PointFile addPart(Path from, String path, long bytes) throws IOException {
    return add(from, path, bytes, "");
  }

  private PointFile add(Path from, String path, long bytes, String prefix) throws IOException {
    String sha256 = copy(from, bytes);
    String suffix = prefix.isEmpty() ? BackupFiles.PART_SUFFIX : BackupFiles.PAGES_SUFFIX;
    String name = prefix + sha256 + suffix;
    take(pending(), name, bytes);
    return new PointFile(path, bytes, name, sha256);
  }

  /** Takes a forced file by its name in the pool, unless it is there. */
  void take(Path made, String name, long bytes) throws IOException {
    if (files.hasPooled(name, bytes)) {
      disk.delete(made);
    } else {
      disk.move(made, files.pooled(name));
    }
  }

  private String put(Path from, long bytes, String name) throws IOException {
    if (!links) {
      String sha256 = copy(from, bytes);
      put(name);
      return sha256;
    }
    disk.delete(files.pooled(name)); // of another length
    String sha256 = digest(from, bytes);
    try {
      disk.link(from, files.pooled(name));
    } catch (IOException e) {
      throw new IOException(
          "%s: cannot be linked to %s: %s; leave out --link"
              .formatted(from, files.pool(), FileProblem.of(e)),
          e);
    }
    return sha256;
  }

  private Path pending() {
    return files.pending().resolve("file");
  }

  private String copy(Path from, long bytes) throws IOException {
    room.check(bytes);
    disk.delete(pending());
    try {
      return copy.copy(from, bytes, disk, pending(), progress);
    } catch (NoSuchFileException | EOFException e) {
      throw cutOff(from, e);
    }
  }

  private String digest(Path from, long bytes) throws IOException {
    try {
      return copy.digest(from, bytes, progress);
    } catch (NoSuchFileException | EOFException e) {
      throw cutOff(from, e);
    }
  }

  private static CorruptException cutOff(Path from, IOException e) {
    return new CorruptException(
        from + ": missing or cut off in the store; hourglass check names what is lost", e);
  }

  private void put(String name) throws IOException {
    disk.move(pending(), files.pooled(name));
  }

  /** Makes the names of all files durable. */
  void force() throws IOException {
    disk.forceDirectory(files.pool());
  }
}
