package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names in the folder of a backup. See docs/backup-format.md.
 *
 * <pre>
 * DIR/BACKUP                                the version of this layout
 * DIR/LOCK                                  held while a point is made or deleted
 * DIR/points/000012-20261120T081500Z.point  what a point has: its files, and the digests of its rows
 * DIR/pool/...12-2f1c...e0.pages            page files, shared by points
 * DIR/pool/9a40...17.part                   other files, by the SHA-256 of their bytes
 * DIR/.pending/                             the file that is being written
 * </pre>
 */
record BackupFiles(Path dir) {
  static final String POINT_SUFFIX = ".point";
  static final String PAGES_SUFFIX = ".pages";
  static final String PART_SUFFIX = ".part";

  private static final String VERSION = "hourglass backup 1\n";

  private static final DateTimeFormatter ID_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** The name of a point: its number, and the time at which it was made. */
  private static final Pattern POINT = Pattern.compile("(\\d{6})-\\d{8}T\\d{6}Z");

  private static final Pattern POOLED =
      Pattern.compile("\\d{20}-[0-9a-f]{32,64}\\.pages|[0-9a-f]{64}\\.part");

  Path version() {
    return dir.resolve("BACKUP");
  }

  Path lock() {
    return dir.resolve("LOCK");
  }

  Path points() {
    return dir.resolve("points");
  }

  Path point(String id) {
    return points().resolve(id + POINT_SUFFIX);
  }

  Path pool() {
    return dir.resolve("pool");
  }

  /** Returns a file of the pool. Throws CorruptException for a name that leads elsewhere. */
  Path pooled(String name) {
    if (!POOLED.matcher(name).matches()) {
      throw new CorruptException(dir + ": \"" + name + "\" is no name in pool/");
    }
    return pool().resolve(name);
  }

  Path pending() {
    return dir.resolve(".pending");
  }

  /** Returns the folders in which all is of this backup. */
  List<Path> folders() {
    return List.of(points(), pool(), pending());
  }

  /** Returns the ids of the points, the oldest first. */
  List<String> ids() throws IOException {
    return names(points(), POINT_SUFFIX).stream()
        .map(name -> name.substring(0, name.length() - POINT_SUFFIX.length()))
        .filter(id -> POINT.matcher(id).matches())
        .toList();
  }

  /** Returns the time at which a point was begun, to the second. */
  static Instant time(String id) {
    return Instant.from(ID_TIME.parse(id.substring(id.indexOf('-') + 1)));
  }

  /** Returns the id of a point that is begun now. */
  static String id(long number, Instant now) {
    return "%06d-%s".formatted(number, ID_TIME.format(now));
  }

  /** Whether a point exists; a prune may have deleted it meanwhile. */
  boolean hasPoint(String id) {
    return FileKind.FILE.isAt(point(id));
  }

  /** Whether a file is in the pool, and has a length. */
  boolean hasPooled(String name, long bytes) throws IOException {
    Path there = pooled(name);
    return FileKind.FILE.isAt(there) && Files.size(there) == bytes;
  }

  /** Returns the number of a point that can be made next. Numbers do not depend on clocks. */
  static long nextNumber(List<String> ids) {
    long newest = 0;
    for (String id : ids) {
      Matcher point = POINT.matcher(id);
      newest = Math.max(newest, point.matches() ? Long.parseLong(point.group(1)) : 0);
    }
    return newest + 1;
  }

  /** Returns the names of the pool's files, sorted. */
  List<String> poolNames() throws IOException {
    return names(pool(), "").stream().filter(name -> POOLED.matcher(name).matches()).toList();
  }

  static List<String> names(Path folder, String suffix) throws IOException {
    if (!FileKind.FOLDER.isAt(folder)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(folder)) {
      return found
          .map(path -> path.getFileName().toString())
          .filter(name -> name.endsWith(suffix))
          .sorted()
          .toList();
    }
  }

  /** Whether the folder is that of a backup, by its version. */
  boolean isBackup() throws IOException {
    if (!FileKind.FOLDER.isAt(dir) || !FileKind.FILE.isAt(version())) {
      return false;
    }
    String found = new String(firstBytes(), StandardCharsets.ISO_8859_1);
    if (!found.equals(VERSION)) {
      throw new CorruptException(
          "%s: \"%s\", this program reads \"%s\"; use the program that wrote it"
              .formatted(version(), found.strip(), VERSION.strip()));
    }
    return true;
  }

  private byte[] firstBytes() throws IOException {
    try (var in = Files.newInputStream(version())) {
      return in.readNBytes(100);
    }
  }

  /** Requires the folder of a backup. */
  void requireBackup() throws IOException {
    if (!isBackup()) {
      throw new CorruptException(
          dir + ": no backup, it has no BACKUP; name the folder that backups were made to");
    }
  }

  /**
   * Requires that all is in the folder itself. A link could lead a server to folders in which it
   * must neither write nor delete.
   */
  void refuseLinks() {
    for (Path each : List.of(version(), lock(), points(), pool(), pending())) {
      if (Files.isSymbolicLink(each)) {
        throw new CorruptException(
            "%s: is a symbolic link, and a backup has all in its own folder; move it there"
                .formatted(each));
      }
    }
  }

  /** Deletes what a backup did not finish. */
  void deletePending(Disk disk) throws IOException {
    for (String left : names(pending(), "")) {
      disk.delete(pending().resolve(left));
    }
  }

  /**
   * Prepares the folder for another point. The version is written last.
   *
   * @throws CorruptException if the folder has something else
   */
  void prepare(Disk disk) throws IOException {
    boolean isNew = !isBackup();
    if (isNew) {
      refuseStrangers();
    }
    for (Path folder : List.of(pool(), points(), pending())) {
      disk.createDirectories(folder);
    }
    deletePending(disk);
    if (isNew) {
      disk.replace(version(), VERSION);
    }
  }

  private void refuseStrangers() throws IOException {
    Set<String> ours = Set.of("LOCK", "pool", "points", ".pending", "BACKUP.new");
    List<String> found = names(dir, "").stream().filter(name -> !ours.contains(name)).toList();
    if (!found.isEmpty() || !names(points(), "").isEmpty()) {
      throw new CorruptException(
          "%s: neither empty nor a backup, it holds %s; choose another folder"
              .formatted(dir, found.isEmpty() ? "points" : found.get(0)));
    }
  }
}
