package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupFoldersTest {
  @TempDir private Path temp;

  @Test
  void foldersBelowAnAllowedOneAreAccepted() throws IOException {
    Path allowed = Files.createDirectories(temp.resolve("backups"));
    BackupFolders folders = new BackupFolders(List.of(temp.resolve("absent"), allowed));
    assertThat(folders.require(allowed.toString())).isEqualTo(allowed);
    assertThat(folders.require(allowed + "/a/b")).isEqualTo(allowed.resolve("a/b"));
  }

  @Test
  void anAllowedFolderThatIsNotThereIsRefused() {
    BackupFolders folders = new BackupFolders(List.of(temp.resolve("absent")));
    assertThatThrownBy(() -> folders.require(temp + "/absent/a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "to: %s/absent of backup.dirs is not there; mount its disk, or make the folder"
                .formatted(temp));
  }

  @Test
  void foldersElsewhereAreRefusedByName() throws IOException {
    Path allowed = Files.createDirectories(temp.resolve("backups"));
    Files.createSymbolicLink(allowed.resolve("link"), Files.createDirectory(temp.resolve("other")));
    BackupFolders folders = new BackupFolders(List.of(allowed));
    for (String elsewhere :
        List.of(
            temp + "/other",
            temp + "/backups2",
            allowed + "/../other",
            allowed + "/link/a",
            "backups",
            "")) {
      assertThatThrownBy(() -> folders.require(elsewhere))
          .as(elsewhere)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "to: %s is not below a folder of backup.dirs; want one below %s"
                  .formatted(elsewhere, allowed));
    }
    assertThatThrownBy(() -> folders.require("a\0b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("to: no path; want one below " + allowed);
  }

  @Test
  void anAllowedFolderMayBeALink() throws IOException {
    Path link =
        Files.createSymbolicLink(
            temp.resolve("link"), Files.createDirectories(temp.resolve("other")));
    assertThat(new BackupFolders(List.of(link)).require(link + "/a")).isEqualTo(link.resolve("a"));
  }

  @Test
  void withoutAllowedFoldersTheSettingIsNamed() {
    assertThatThrownBy(() -> new BackupFolders(List.of()).require("/mnt/backup"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("backup.dirs = [");
  }
}
