package hourglass.store.embedded.backup;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
   * A point that may have erased bytes.
   *
   * @param text says what it is, for a person
   * @param time when it was made, at the earliest
   */
  private record Holder(String text, Instant time) {}

  /**
   * Lists the points.
   *
   * @param folders those of backups, or around them
   * @param names of points that were listed before
   */
  public static PointsBefore in(Iterable<Path> folders, PointNames names) {
    List<Holder> holders = new ArrayList<>();
    Set<Path> points = new HashSet<>();
    for (Path folder : folders) {
      try {
        for (BackupFiles backup : backupsBelow(folder)) {
          List<String> ids = backup.ids();
          ids.forEach(id -> points.add(backup.point(id)));
          addOf(backup, ids, names, holders);
        }
      } catch (IOException | RuntimeException e) {
        logger.warn("{}: its backups cannot be listed: {}", folder, e.toString());
        holders.add(new Holder("backups in " + folder + ", which cannot be listed", Instant.MIN));
      }
    }
    names.retain(points);
    return new PointsBefore(holders.stream().distinct().toList());
  }

  private static List<BackupFiles> backupsBelow(Path folder) throws IOException {
    List<BackupFiles> backups = new ArrayList<>();
    Set<Path> passedOver = new HashSet<>(); // a pool may have a million files
    if (Files.isDirectory(folder)) {
      Files.walkFileTree(
          folder,
          Set.of(),
          DEPTH_MAX,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path below, BasicFileAttributes attributes) {
              if (passedOver.contains(below)) {
                return FileVisitResult.SKIP_SUBTREE;
              }
              BackupFiles files = new BackupFiles(below);
              if (Files.exists(files.version())) {
                backups.add(files);
                passedOver.addAll(files.folders());
              }
              return FileVisitResult.CONTINUE; // a backup may be in another
            }

            /** Visits also links, and the folders of the last level. */
            @Override
            public FileVisitResult visitFile(Path below, BasicFileAttributes attributes) {
              if (!attributes.isRegularFile()) {
                var unused = preVisitDirectory(below, attributes);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    }
    backups.sort(Comparator.comparing(BackupFiles::dir));
    return backups;
  }

  private static void addOf(
      BackupFiles backup, List<String> ids, PointNames names, List<Holder> holders)
      throws IOException {
    for (String id : ids) {
      holders.add(new Holder("backup " + backup.dir() + ", point " + id, BackupFiles.time(id)));
    }
    Instant oldest = null;
    for (String name : names.unneeded(backup, ids)) {
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
