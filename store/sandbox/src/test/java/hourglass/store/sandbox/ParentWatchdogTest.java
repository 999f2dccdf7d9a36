package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParentWatchdogTest {
  @TempDir Path folder;

  @ParameterizedTest(name = "frozen: {0}")
  @ValueSource(booleans = {false, true})
  void aServerEndsWithItsOwner(boolean frozen) throws Exception {
    Process owner = owner(frozen).start();
    try (BufferedReader said = owner.inputReader()) {
      long pid = Long.parseLong(said.readLine());
      ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
      assertThat(server.isAlive()).isTrue();
      owner.destroyForcibly().waitFor();
      await().until(() -> !server.isAlive());
    } finally {
      owner.destroyForcibly();
    }
  }

  private ProcessBuilder owner(boolean frozen) throws Exception {
    List<Path> code =
        List.of(JavaCommand.codeOf(Owner.class), JavaCommand.codeOf(SandboxServer.class));
    List<String> arguments = List.of(folder.toString(), Boolean.toString(frozen));
    return new JavaCommand(
            JavaHome.running(), List.of("-Xmx64m"), code, Owner.class.getName(), arguments)
        .builder(folder.resolve("owner.args"))
        .redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
