package hourglass.config.gate.keys;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code hourglass key}. Its exit codes are 0 for done, 1 for failed, 2 for wrong
 * usage.
 */
@Command(
    name = "key",
    description = "Makes keys and certificates.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      AddKeyCommand.class,
      ListKeysCommand.class,
      RevokeKeyCommand.class,
      TlsSelfSignedCommand.class
    })
public final class KeyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  private KeyCommand() {}

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "key: which command? " + String.join(", ", spec.subcommands().keySet()));
  }

  interface Work {
    void run() throws IOException;
  }

  /**
   * Runs a task on a file of keys, and prints the reason in one line if it fails. Returns the exit
   * code.
   */
  static int exitCode(CommandSpec spec, Path file, Work work) {
    try {
      work.run();
      return ExitCode.OK;
    } catch (KeysFileException e) {
      spec.commandLine().getErr().println("hourglass: " + file + ": " + e.getMessage());
    } catch (IOException e) {
      spec.commandLine().getErr().println("hourglass: " + file + ": " + e);
    }
    return ExitCode.SOFTWARE;
  }
}
