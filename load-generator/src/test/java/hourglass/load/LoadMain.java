package hourglass.load;

import picocli.CommandLine;

/** The load command alone, for runs out of an IDE. */
final class LoadMain {
  private LoadMain() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new LoadCommand()).execute(args));
  }
}
