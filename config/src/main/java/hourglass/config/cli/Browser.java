package hourglass.config.cli;

import hourglass.command.ProgressLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens the web browser of the person at the terminal. */
final class Browser {
  private Browser() {}

  /** Opens a page, if there is a terminal and a desktop; otherwise does nothing. */
  static void open(String address) {
    List<String> command = command(System.getProperty("os.name", ""), System.getenv());
    if (command == null || !ProgressLine.isTerminal()) {
      return;
    }
    ProcessBuilder opener = new ProcessBuilder(new ArrayList<>(command));
    opener.command().add(address);
    opener.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    try {
      opener.start();
    } catch (IOException e) {
      // A browser that cannot be opened is no failure, because the address is printed too.
    }
  }

  /** Returns the desktop's command to open an address, or null without a desktop. */
  static @Nullable List<String> command(String system, Map<String, String> environment) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      return List.of("open");
    }
    if (name.startsWith("windows")) {
      return List.of("rundll32", "url.dll,FileProtocolHandler");
    }
    String display =
        environment.getOrDefault("DISPLAY", "") + environment.getOrDefault("WAYLAND_DISPLAY", "");
    return display.isEmpty() ? null : List.of("xdg-open");
  }
}
