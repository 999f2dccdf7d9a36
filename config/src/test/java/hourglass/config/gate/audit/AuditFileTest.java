package hourglass.config.gate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
  @TempDir Path folder;

  @Test
  void onlyTheOwnerMayReadTheFile() throws IOException {
    try (AuditFile file = open(1_000, 1)) {
      append(file, "a\nb\n");
    }
    assertThat(log()).hasContent("a\nb\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log())))
        .isEqualTo("rw-------");
  }

  /** A kill in the middle of a write leaves a torn line. */
  @Test
  void aTornLineIsEnded() throws IOException {
    Files.writeString(log(), "a\nto");
    try (AuditFile file = open(1_000, 1)) {
      append(file, "b\n");
    }
    try (AuditFile file = open(1_000, 1)) {
      append(file, "c\n");
    }
    assertThat(log()).hasContent("a\nto\nb\nc\n");
  }

  @Test
  void keepsTheConfiguredNumberOfOlderFiles() throws IOException {
    try (AuditFile file = open(4, 2)) {
      for (String line : new String[] {"1\n", "2\n", "3\n", "long line\n", "5\n", "6\n", "7\n"}) {
        append(file, line);
      }
    }
    assertThat(log()).hasContent("7\n");
    assertThat(folder.resolve("audit.log.1")).hasContent("5\n6\n");
    assertThat(folder.resolve("audit.log.2")).hasContent("long line\n");
    assertThat(folder.resolve("audit.log.3")).doesNotExist();
  }

  @Test
  void keepsNoOlderFileIfNoneIsConfigured() throws IOException {
    try (AuditFile file = open(4, 0)) {
      append(file, "123\n");
      append(file, "456\n");
    }
    assertThat(log()).hasContent("456\n");
    assertThat(folder.toFile().list()).containsExactly("audit.log");
  }

  @Test
  void aSecondWriterIsRefused() throws IOException {
    try (AuditFile first = open(1_000, 1)) {
      assertThatThrownBy(() -> open(1_000, 1)).hasMessageContaining("another process");
      append(first, "a\n");
    }
    open(1_000, 1).close();
  }

  @Test
  void writingContinuesOnceTheDiskHasRoom() throws IOException {
    Path disk = Files.createSymbolicLink(log(), Path.of("/dev/full"));
    try (AuditFile file = open(1_000, 1)) {
      assertThatThrownBy(() -> append(file, "a\n")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> append(file, "b\n")).isInstanceOf(IOException.class);
      Files.delete(disk);
      append(file, "c\n");
    }
    assertThat(log()).hasContent("c\n");
  }

  private Path log() {
    return folder.resolve("audit.log");
  }

  private AuditFile open(long rotateBytes, int keep) throws IOException {
    AuditFile file = new AuditFile(log(), rotateBytes, keep);
    file.open();
    return file;
  }

  private static void append(AuditFile file, String lines) throws IOException {
    file.append(lines.getBytes(StandardCharsets.UTF_8));
  }
}
