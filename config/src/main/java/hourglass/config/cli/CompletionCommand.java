package hourglass.config.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    description = {
      "Prints the completion of commands and options for bash and zsh.",
      "For this shell: source <(hourglass completion)"
    })
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli fills it
  CompletionCommand() {}

  @Override
  public Integer call() {
    System.out.print(AutoComplete.bash("hourglass", spec.root().commandLine()));
    return 0;
  }
}
