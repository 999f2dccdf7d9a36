package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.files.CatalogueContent;
import hourglass.store.embedded.files.PageFileCheck;
import hourglass.store.embedded.files.PageSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lists the points of a backup, and reads every byte of them. Writes nothing. Not thread-safe; use
 * it once.
 */
public final class BackupCheck {
  private static final String AGAIN =
      "delete it, and the next backup copies it again if the store still has it";

  /** The begin of the path of a file with rows, which a restore does not write. */
  private static final String ROWS = "rows of ";

  /** The most losses of a file that its line names. */
  private static final int LOSSES_MAX = 20;

  private final BackupFiles files;
  private final Consumer<Finding> sink;
  private final FileCopy copy = new FileCopy();
  private final SortedMap<String, Losses> losses = new TreeMap<>();
  private int findings;

  private BackupCheck(Path dir, Consumer<Finding> sink) {
    this.files = new BackupFiles(dir);
    this.sink = sink;
  }

  /**
   * A point in a list.
   *
   * @param time null if the list of the point is damaged
   * @param bytes the bytes of its files, which it may share with other points
   * @param losses the pages that repairs took out of use before
   * @param isWhole whether the store had all of its files, rows and pages
   * @param problem null if its list is not damaged
   */
  public record Summary(
      String id,
      @Nullable Instant time,
      int files,
      long bytes,
      long rows,
      long events,
      Losses losses,
      boolean isWhole,
      @Nullable String problem) {}

  /**
   * The outcome of a check.
   *
   * @param bytes the bytes that were read
   * @param damages the number of findings
   * @param losses the pages that repairs took out of use before points were made, by the ids of
   *     these points; they are no damage of the backup
   */
  public record Result(
      int points, int files, long bytes, int damages, SortedMap<String, Losses> losses) {
    public Result {
      losses = Collections.unmodifiableSortedMap(new TreeMap<>(losses));
    }
  }

  /** The points that need a file, as their lists have it. */
  private record Needed(long bytes, String sha256, String path, List<String> points) {}

  /**
   * Returns the points, the oldest first.
   *
   * @throws CorruptException if the folder is no backup
   * @throws UnavailableException if a file cannot be read
   */
  public static List<Summary> list(Path dir) {
    BackupFiles files = new BackupFiles(dir);
    try {
      files.requireBackup();
      List<Summary> all = new ArrayList<>();
      for (String id : files.ids()) {
        Summary point = summary(files, id);
        if (point.problem() == null || files.hasPoint(id)) { // otherwise it was pruned meanwhile
          all.add(point);
        }
      }
      return all;
    } catch (IOException e) {
      throw unreadable(dir, e);
    }
  }

  /** Whether a folder is that of a backup, so that {@link #verify} checks it. */
  public static boolean isBackup(Path dir) {
    try {
      return new BackupFiles(dir).isBackup();
    } catch (IOException e) {
      throw unreadable(dir, e);
    }
  }

  private static UnavailableException unreadable(Path dir, IOException e) {
    return new UnavailableException(dir + ": cannot be read: " + FileProblem.of(e), e);
  }

  private static Summary summary(BackupFiles files, String id) throws IOException {
    try {
      Point point = PointReader.read(files, id);
      return new Summary(
          id,
          point.time(),
          point.files().size(),
          point.bytes(),
          point.totals().rows(),
          point.totals().columns(),
          point.losses(),
          point.isWhole(),
          null);
    } catch (CorruptException e) {
      return new Summary(id, null, 0, 0, 0, 0, Losses.NONE, false, e.getMessage());
    }
  }

  /**
   * Reads every file that a point needs, and compares it with its SHA-256.
   *
   * @throws CorruptException if the folder is no backup
   * @throws UnavailableException if a file cannot be read
   */
  public static Result verify(Path dir, Consumer<Finding> sink) {
    try {
      return new BackupCheck(dir, sink).run();
    } catch (IOException e) {
      throw unreadable(dir, e);
    }
  }

  private Result run() throws IOException {
    files.requireBackup();
    List<String> ids = files.ids();
    Map<String, Needed> needed = new TreeMap<>();
    for (String id : ids) {
      read(id, needed);
    }
    long bytes = 0;
    for (Map.Entry<String, Needed> each : needed.entrySet()) {
      bytes += each.getValue().bytes();
      check(files.pooled(each.getKey()), each.getValue());
    }
    return new Result(ids.size(), needed.size(), bytes, findings, losses);
  }

  private void read(String id, Map<String, Needed> needed) throws IOException {
    try {
      Point point = PointReader.read(files, id);
      for (PointFile file : point.files()) {
        String pooled = file.pooled();
        String sha256 = file.sha256();
        if (pooled == null || sha256 == null) {
          add(
              "point %s: the store itself missed %s when it was made".formatted(id, file.path()),
              "events in that file");
        } else {
          need(pooled, file.bytes(), sha256, file.path(), id, needed);
        }
      }
      for (Point.Day day : point.days()) {
        need(day.pooled(), day.bytes(), day.sha256(), ROWS + day.date(), id, needed);
      }
      if (!point.losses().isNone()) {
        losses.put(id, point.losses());
      }
      if (point.totals().damaged() > 0) {
        add(
            "point %s: %s rows were damaged in the store itself when it was made"
                .formatted(id, point.totals().damaged()),
            "events of these rows");
      }
    } catch (CorruptException e) {
      if (files.hasPoint(id)) { // otherwise it was pruned meanwhile
        add(String.valueOf(e.getMessage()), "point " + id);
      }
    }
  }

  private static void need(
      String pooled,
      long bytes,
      String sha256,
      String path,
      String id,
      Map<String, Needed> needed) {
    needed
        .computeIfAbsent(pooled, any -> new Needed(bytes, sha256, path, new ArrayList<>()))
        .points()
        .add(id);
  }

  private void check(Path pooled, Needed needed) throws IOException {
    String damage = damage(pooled, needed);
    needed.points().removeIf(id -> !files.hasPoint(id)); // a prune deleted them meanwhile
    if (damage != null && !needed.points().isEmpty()) {
      add(
          "%s: %s; %s".formatted(pooled, damage, AGAIN),
          "%s, in %s".formatted(lost(pooled, needed), points(needed.points())));
    }
  }

  private @Nullable String damage(Path pooled, Needed needed) throws IOException {
    try {
      long bytes = FileKind.FILE.isAt(pooled) ? Files.size(pooled) : -1;
      if (bytes < 0) {
        return "missing";
      }
      if (bytes != needed.bytes()) {
        return "%s bytes, not %s".formatted(bytes, needed.bytes());
      }
      return copy.digest(pooled, bytes, read -> {}).equals(needed.sha256())
          ? null
          : "it does not match its SHA-256";
    } catch (NoSuchFileException e) {
      return "missing";
    }
  }

  /** Returns the events that a damaged file lost, by the checksums in the file if it has pages. */
  private String lost(Path pooled, Needed needed) {
    if (needed.path().startsWith(ROWS)) {
      return "no event, but the digests of " + needed.path();
    }
    String inFile = "events in " + needed.path();
    if (!needed.path().startsWith("pages/") || !Files.exists(pooled)) {
      return inFile;
    }
    Set<String> losses = new TreeSet<>();
    String newest = needed.points().get(needed.points().size() - 1);
    try {
      Point point = PointReader.read(files, newest);
      Map<Long, PointFile> pages = point.pages();
      CatalogueContent catalogue =
          CatalogueContent.read(files.pooled(String.valueOf(point.catalogue().pooled())));
      try (PageSnapshot snapshot =
          PageSnapshot.of(catalogue, number -> pooled(pages.get(number)))) {
        PageFileCheck.of(snapshot, catalogue.files(), each -> losses.add(each.lost()))
            .check(number(needed.path()));
      }
    } catch (CorruptException | IOException e) {
      return inFile; // the other file is a finding of its own
    }
    losses.remove(Finding.NOTHING);
    return losses.isEmpty()
        ? "nothing that is needed"
        : losses.stream().limit(LOSSES_MAX).collect(Collectors.joining("; "))
            + (losses.size() > LOSSES_MAX ? " and others" : "");
  }

  private Path pooled(@Nullable PointFile file) {
    if (file == null || file.pooled() == null) {
      throw new CorruptException(files.dir() + ": a page file of the point is missing");
    }
    return files.pooled(file.pooled());
  }

  private static long number(String path) {
    return Long.parseLong(path.substring(path.indexOf('/') + 1, path.indexOf('.')));
  }

  private static String points(List<String> ids) {
    return ids.size() == 1
        ? "point " + ids.get(0)
        : "%s points from %s to %s".formatted(ids.size(), ids.get(0), ids.get(ids.size() - 1));
  }

  private void add(String damage, String lost) {
    findings++;
    sink.accept(new Finding(damage, lost));
  }
}
