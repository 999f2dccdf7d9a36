package hourglass.config.cli;

import hourglass.config.server.Version;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Says which version this is. */
@Command(name = "version", description = "Says which version this is.")
final class VersionCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    System.out.println(new Version().getVersion()[0]);
    return 0;
  }
}
