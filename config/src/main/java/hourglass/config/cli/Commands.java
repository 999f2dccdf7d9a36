package hourglass.config.cli;

import hourglass.config.server.Stores;
import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import hourglass.load.command.LoadTask;
import hourglass.load.lab.CompareCommand;
import hourglass.load.lab.StoreOpener;
import hourglass.store.WideColumnStore;
import hourglass.store.cassandra.CassandraStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/**
 * Creates the commands. Commands of other modules get the parts that only this module can create.
 */
final class Commands implements CommandLine.IFactory {
  private final CommandLine.IFactory byDefault = CommandLine.defaultFactory();

  @Override
  public <K> K create(Class<K> type) throws Exception {
    if (type == CompareCommand.class) {
      return type.cast(new CompareCommand(new OfSettings()));
    }
    return ofProcess(byDefault.create(type));
  }

  /** Gives a command the signals and the environment of the process. */
  static <K> K ofProcess(K command) {
    if (command instanceof LoadTask task) {
      task.onSignal = Termination::onSignal;
      task.environment = System.getenv();
    }
    return command;
  }

  private static final class OfSettings implements StoreOpener {
    @Override
    public WideColumnStore open(@Nullable Path config, List<String> assignments) {
      SettingsSources sources = new SettingsSources(config, System.getenv(), assignments);
      return Stores.open(
          Settings.load(sources).store(), Clock.systemUTC(), new SimpleMeterRegistry());
    }

    @Override
    public CompletionStage<Map<String, Long>> nodeWrites(WideColumnStore store) {
      return store instanceof CassandraStore cluster
          ? cluster.nodeWrites()
          : StoreOpener.super.nodeWrites(store);
    }
  }
}
