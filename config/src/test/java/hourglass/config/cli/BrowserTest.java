package hourglass.config.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BrowserTest {
  @Test
  void desktopDecidesTheCommand() {
    assertThat(Browser.command("Mac OS X", Map.of())).containsExactly("open");
    assertThat(Browser.command("Windows 11", Map.of())).startsWith("rundll32");
    assertThat(Browser.command("Linux", Map.of("DISPLAY", ":0"))).containsExactly("xdg-open");
    assertThat(Browser.command("Linux", Map.of("WAYLAND_DISPLAY", "wayland-0")))
        .containsExactly("xdg-open");
  }

  @Test
  void withoutDesktopThereIsNoCommand() {
    assertThat(Browser.command("Linux", Map.of())).isNull();
  }
}
