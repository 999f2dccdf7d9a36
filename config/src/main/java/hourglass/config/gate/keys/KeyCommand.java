package hourglass.config.gate.keys;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hourglass key}. Exit codes: 0 done, 1 failed, 2 wrong usage. */
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

  /** Does something with a file of keys, and says in one line why it could not. */
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
