package hourglass.config.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"a=b", "a=[\"127.0.0.1:9042\", \"b\"]", "it's", "$HOME `id` \\ *", "", " ", "a;b"})
  void aShellReadsTheOriginalText(String text) throws Exception {
    Process shell =
        new ProcessBuilder("sh", "-c", "printf '%s|' " + SandboxRun.shellWord(text)).start();
    String read = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(read).isEqualTo(text + "|");
  }

  @Test
  void plainWordsAreNotQuoted() {
    assertThat(SandboxRun.shellWord("store.engine=cassandra")).isEqualTo("store.engine=cassandra");
  }
}
