package hourglass.store.embedded.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The points of backups, each of which may have what was erased after it was made, and the files
 * that backups left which were not finished. Immutable. Made from folders, which may be slow.
 */
public final class PointsBefore {
  private static final Logger logger = LoggerFactory.getLogger(PointsBefore.class);

  /** How deep below a folder for backups they are sought. */
  private static final int DEPTH_MAX = 3;

  private final List<Holder> holders;

  private PointsBefore(List<Holder> holders) {
    this.holders = holders;
  }

  /**
   * What may have erased bytes.
   *
   * @param text says what it is, for a person
   * @param time when it was made, at the earliest
   */
  private record Holder(String text, Instant time) {}

  /**
   * Lists the points.
   *
   * @param folders those of backups, or around them
   */
  public static PointsBefore in(Iterable<Path> folders) {
    List<Holder> holders = new ArrayList<>();
    for (Path folder : folders) {
      try {
        addBelow(folder, holders);
      } catch (IOException | RuntimeException e) {
        logger.warn("{}: its backups cannot be listed: {}", folder, e.toString());
        holders.add(new Holder("backups in " + folder + ", which cannot be listed", Instant.MIN));
      }
    }
    return new PointsBefore(holders.stream().distinct().toList());
  }

  private static void addBelow(Path folder, List<Holder> holders) throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> folders;
    try (Stream<Path> below = Files.walk(folder, DEPTH_MAX)) {
      folders =
          below.filter(path -> Files.exists(new BackupFiles(path).version())).sorted().toList();
    }
    for (Path each : folders) {
      addOf(new BackupFiles(each), holders);
    }
  }

  private static void addOf(BackupFiles backup, List<Holder> holders) throws IOException {
    List<String> ids = backup.ids();
    for (String id : ids) {
      holders.add(new Holder("backup " + backup.dir() + ", point " + id, BackupFiles.time(id)));
    }
    Set<String> unfinished = new HashSet<>(backup.poolNames());
    for (String id : ids) {
      if (!unfinished.isEmpty()) {
        unfinished.removeAll(PointReader.read(backup, id).pooled().keySet());
      }
    }
    Instant oldest = null;
    for (String name : unfinished) {
      Instant made = Files.getLastModifiedTime(backup.pooled(name)).toInstant();
      oldest = oldest == null || made.isBefore(oldest) ? made : oldest;
    }
    if (oldest != null) {
      holders.add(
          new Holder(
              "backup " + backup.dir() + ", files in pool/ that no point has; prune deletes them",
              oldest));
    }
  }

  /**
   * Returns those that were made until a moment, each for a person.
   *
   * @param moment null for all
   */
  public List<String> until(@Nullable Instant moment) {
    return holders.stream()
        .filter(holder -> moment == null || !holder.time().isAfter(moment))
        .map(Holder::text)
        .toList();
  }
}
