package hourglass.config.gate.keys;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "revoke",
    description = "Removes a key, or one of its secrets; servers refuse it within five seconds.")
final class RevokeKeyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "whose key it is")
  private String name;

  @Option(
      names = "--secret",
      paramLabel = "ID",
      description = "one secret alone, by its id in `key list`")
  private @Nullable String secret;

  @Option(names = "--file", paramLabel = "FILE", required = true, description = "the file of keys")
  private Path file;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  RevokeKeyCommand() {}

  @Override
  public Integer call() {
    return KeyCommand.exitCode(spec, file, () -> new KeysFile(file).revoke(name, secret));
  }
}
