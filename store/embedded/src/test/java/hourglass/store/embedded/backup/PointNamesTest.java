package hourglass.store.embedded.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of the lists of points. */
class PointNamesTest {
  private static final String FIRST = "000001-20261120T081500Z";
  private static final String SECOND = "000002-20261120T091500Z";

  @TempDir Path dir;
  private BackupFiles backup;

  @BeforeEach
  void makeBackup() throws IOException {
    backup = new BackupFiles(dir);
    backup.prepare(new SystemDisk());
  }

  private static String pooled(int page) {
    return "%020d-%064x.pages".formatted(page, 7);
  }

  /** Makes a point of the page files in {@code [1, files]}, which are put into the pool. */
  private void point(String id, int files) throws IOException {
    List<PointFile> all =
        IntStream.rangeClosed(1, files)
            .mapToObj(
                page ->
                    new PointFile(
                        "pages/%020d.pages".formatted(page), 1, pooled(page), "0".repeat(64)))
            .toList();
    for (int page = 1; page <= files; page++) {
      Files.write(backup.pooled(pooled(page)), new byte[1]);
    }
    Point.LogStart log = new Point.LogStart(1, 1);
    PointWriter.write(
        new SystemDisk(),
        backup.point(id),
        new Point(id, Instant.EPOCH, log, 0, Losses.NONE, all, List.of()));
  }

  /** Damages a point so that its length and time stay. */
  private void damage(String id) throws IOException {
    Path point = backup.point(id);
    FileTime time = Files.getLastModifiedTime(point);
    Files.write(point, new byte[Math.toIntExact(Files.size(point))]);
    Files.setLastModifiedTime(point, time);
  }

  @Test
  void filesThatNoPointNeedsAreFound() throws IOException {
    point(FIRST, 3);
    String part = "%064x.part".formatted(9);
    Files.write(backup.pooled(part), new byte[1]);
    Files.write(backup.pooled(pooled(4)), new byte[1]);
    PointNames names = new PointNames();
    for (int again = 0; again < 2; again++) {
      assertThat(names.unneeded(backup, List.of(FIRST))).containsExactlyInAnyOrder(part, pooled(4));
    }
    assertThat(names.unneeded(backup, List.of())).hasSize(5);
  }

  @Test
  void pointsBeyondTheLimitAreReadEachTime() throws IOException {
    point(FIRST, 3);
    point(SECOND, 4);
    PointNames names = new PointNames(5);
    assertThat(names.unneeded(backup, List.of(FIRST, SECOND))).isEmpty();
    damage(FIRST);
    assertThat(names.unneeded(backup, List.of(FIRST, SECOND))).isEmpty();
    damage(SECOND);
    assertThatThrownBy(() -> names.unneeded(backup, List.of(FIRST, SECOND)))
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void pointsThatWerePrunedMakeRoom() throws IOException {
    point(FIRST, 3);
    point(SECOND, 4);
    PointNames names = new PointNames(5);
    assertThat(names.unneeded(backup, List.of(FIRST, SECOND))).isEmpty();
    names.retain(Set.of(backup.point(SECOND)));
    assertThat(names.unneeded(backup, List.of(SECOND))).isEmpty();
    damage(SECOND);
    assertThat(names.unneeded(backup, List.of(SECOND))).isEmpty();
  }
}
