package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
  @TempDir Path folder;

  @Test
  void staysWhatItWas() {
    int first = Ports.of(folder).get("a", 2);
    assertThat(Ports.of(folder).get("b", 2)).isNotEqualTo(first);
    assertThat(Ports.of(folder).get("a", 2)).isEqualTo(first);
  }

  @Test
  void isFreeOnEveryAddress() throws Exception {
    int port = Ports.of(folder).get("a", 2);
    try (ServerSocket busy = new ServerSocket()) {
      busy.bind(new InetSocketAddress(Ports.loopback(2), port));
      assertThatThrownBy(() -> Ports.of(folder).get("a", 2))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("port " + port, "is in use");
    }
  }
}
