package hourglass.store.embedded.disk;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that was made anew is another one, though the system may give it the old number. */
class DirectoryWatchTest {
  @TempDir Path dir;

  @Test
  void noticesAReplacedFolder() throws IOException {
    Path lock = Files.createFile(dir.resolve("LOCK"));
    for (int tries = 0; tries < 20; tries++) {
      Path log = Files.createDirectory(dir.resolve("log"));
      try (DirectoryWatch watch = new DirectoryWatch(dir, lock)) {
        watch.addFolder(log);
        watch.check();
        Files.delete(log);
        Files.createDirectory(log);
        assertThatThrownBy(watch::check)
            .hasMessageContainingAll(log + " was replaced", "start again");
      }
      Files.delete(log);
    }
  }
}
