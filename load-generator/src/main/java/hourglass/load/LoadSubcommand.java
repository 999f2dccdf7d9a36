package hourglass.load;

import picocli.CommandLine.Mixin;

/** What every subcommand has that loads servers, or a topic, from outside. */
abstract class LoadSubcommand extends LoadTask {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  TargetOptions target;
}
