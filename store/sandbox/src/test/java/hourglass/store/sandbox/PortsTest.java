package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
  private static final List<InetAddress> TWO = List.of(Ports.loopback(1), Ports.loopback(2));

  @TempDir Path folder;

  @Test
  void staysWhatItWas() {
    int first = Ports.of(folder).get("a", TWO);
    assertThat(Ports.of(folder).get("b", TWO)).isNotEqualTo(first);
    assertThat(Ports.of(folder).get("a", TWO)).isEqualTo(first);
  }

  @Test
  void isFreeOnEveryAddress() throws Exception {
    int port = Ports.of(folder).get("a", TWO);
    try (ServerSocket busy = new ServerSocket()) {
      busy.bind(new InetSocketAddress(TWO.get(1), port));
      assertThatThrownBy(() -> Ports.of(folder).get("a", TWO))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("port " + port, "is in use");
    }
  }
}
