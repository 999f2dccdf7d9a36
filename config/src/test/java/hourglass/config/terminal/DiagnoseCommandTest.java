package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnoseCommandTest {
  @TempDir private Path folder;

  @Test
  void theAnswerIsWrittenToANewFile() throws Exception {
    Path file = folder.resolve("report.txt");
    Asked asked =
        Asked.with(CannedServer.whole("", "== versions =="), "diagnose", "--to", file.toString());
    assertThat(asked).isEqualTo(new Asked(0, file + "\n", ""));
    assertThat(file).hasContent("== versions ==");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void anAnswerThatBreaksOffLeavesNoFile() throws Exception {
    Path file = folder.resolve("report.txt");
    String whole = CannedServer.whole("", "== versions ==");
    Asked asked =
        Asked.with(whole.substring(0, whole.length() - 3), "diagnose", "--to", file.toString());
    assertThat(asked.exit()).isEqualTo(1);
    assertThat(asked.out()).isEmpty();
    assertThat(asked.err()).contains("broke off");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFolderThatIsMissingIsNamed() throws Exception {
    Path file = folder.resolve("missing/report.txt");
    Asked asked = Asked.with(CannedServer.whole("", "text"), "diagnose", "--to", file.toString());
    assertThat(asked.exit()).isEqualTo(1);
    assertThat(asked.err()).contains("--to: " + file + " cannot be written");
  }
}
