package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupCheck.Summary;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Deletes old points of a backup, and the files that no point lists. The lists go first: stopped at
 * any operation, it leaves whole points, and files that the next prune deletes. Not thread-safe;
 * use it once.
 */
public final class Prune {
  private final BackupFiles files;
  private final Disk disk;

  private Prune(Path dir, Disk disk) {
    this.files = new BackupFiles(dir);
    this.disk = disk;
  }

  /**
   * The outcome of a prune.
   *
   * @param points the ids of the deleted points
   * @param left the number of the other points
   * @param files the files of the pool that were deleted, with {@code bytes} together
   */
  public record Result(List<String> points, int left, int files, long bytes) {
    public Result {
      points = List.copyOf(points);
    }
  }

  /**
   * Deletes the points that were made before a time, but never the newest one, nor the newest whole
   * one all of whose files are there. A point that was made after a repair is not whole, since an
   * earlier one may have the pages that the repair took out of use.
   *
   * @throws CorruptException if the folder is no backup, or the list of a point that is kept is
   *     damaged, so that nobody knows which files it needs
   * @throws UnavailableException if a point is being made, or a file cannot be deleted
   */
  public static Result run(Path dir, Instant before, Disk disk) {
    Prune prune = new Prune(dir, disk);
    try {
      prune.files.requireBackup();
      try (BackupLock lock = BackupLock.take(prune.files)) {
        return prune.run(before);
      }
    } catch (IOException e) {
      throw new UnavailableException(dir + ": cannot be pruned: " + FileProblem.of(e), e);
    }
  }

  private Result run(Instant before) throws IOException {
    List<Summary> points = BackupCheck.list(files.dir());
    Set<String> old = old(points, before);
    Set<String> needed = needed(points, old); // known before anything is deleted
    for (String id : old) {
      disk.delete(files.point(id));
    }
    disk.forceDirectory(files.points());
    int deleted = 0;
    long bytes = 0;
    for (String name : files.poolNames()) {
      if (!needed.contains(name)) {
        bytes += Files.size(files.pooled(name));
        disk.delete(files.pooled(name));
        deleted++;
      }
    }
    disk.forceDirectory(files.pool());
    files.deletePending(disk);
    return new Result(new ArrayList<>(old), points.size() - old.size(), deleted, bytes);
  }

  private Set<String> old(List<Summary> points, Instant before) throws IOException {
    Set<String> old = new TreeSet<>();
    for (Summary point : points) {
      if (point.time() != null && point.time().isBefore(before)) {
        old.add(point.id());
      }
    }
    if (!points.isEmpty()) { // it has the newest events, even if it is not whole
      old.remove(points.get(points.size() - 1).id());
    }
    for (int i = points.size() - 1; i >= 0; i--) {
      if (points.get(i).isWhole() && hasFiles(points.get(i).id())) {
        old.remove(points.get(i).id());
        break;
      }
    }
    return old;
  }

  private boolean hasFiles(String id) throws IOException {
    for (Map.Entry<String, Long> file : PointReader.read(files, id).pooled().entrySet()) {
      if (!files.hasPooled(file.getKey(), file.getValue())) {
        return false;
      }
    }
    return true;
  }

  private Set<String> needed(List<Summary> points, Set<String> old) throws IOException {
    Set<String> needed = new HashSet<>();
    for (Summary point : points) {
      if (point.problem() != null) {
        throw new CorruptException(
            point.problem() + "; until then nothing is pruned, since its files are not known");
      }
      if (!old.contains(point.id())) {
        needed.addAll(PointReader.read(files, point.id()).pooled().keySet());
      }
    }
    return needed;
  }
}
