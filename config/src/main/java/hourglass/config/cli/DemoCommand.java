package hourglass.config.cli;

import hourglass.config.server.Parts;
import hourglass.config.settings.HttpOptions;
import hourglass.config.settings.Settings;
import hourglass.config.settings.SettingsSources;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description =
        "Starts everything on the embedded store, feeds it live sample traffic, runs an hourly range"
            + " query, and keeps serving.")
final class DemoCommand implements Callable<Integer> {
  @Mixin private SettingsArguments arguments = new SettingsArguments();

  @Option(names = "--exit", description = "stop after the query")
  private boolean exits;

  @Option(names = "--no-browser", description = "do not open the dashboard in a browser")
  private boolean withoutBrowser;

  @Override
  public Integer call() throws Exception {
    Parts parts = new Parts();
    Termination termination = Termination.install();
    termination.closes(parts);
    try (parts) {
      SettingsSources sources = arguments.sources();
      if (!arguments.hasFolder()) {
        Path folder = parts.add(TemporaryFolder.create("demo")).path();
        sources = sources.underneath("store.embedded.dir=" + folder);
      }
      DemoRun run = parts.add(new DemoRun(settings(sources), Clock.systemUTC()));
      run.show(System.out);
      if (!exits) {
        run.feed(System.out);
        if (!withoutBrowser) {
          Browser.open(run.hourPage());
        }
        Termination.await();
      }
    }
    return 0;
  }

  private Settings settings(SettingsSources sources) {
    Settings settings = Settings.load(sources);
    HttpOptions http = settings.http();
    boolean isChosen = arguments.hasPort() || http.port() != Settings.defaults().http().port();
    if (isChosen || !isBusy(http)) {
      return settings; // a port that the user chose is not replaced
    }
    System.err.println("demo: port " + http.port() + " is taken; using a free one");
    return Settings.load(sources.onTop("http.port=0"));
  }

  private static boolean isBusy(HttpOptions http) {
    try (ServerSocket probe =
        new ServerSocket(http.port(), 1, InetAddress.getByName(http.host()))) {
      return !probe.isBound();
    } catch (IOException e) {
      return true;
    }
  }
}
