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
  void staysWhatItWas() throws Exception {
    int first;
    try (Ports ports = new Ports(folder, 2)) {
      first = ports.get("a");
    }
    try (Ports ports = new Ports(folder, 2)) {
      assertThat(ports.get("b")).isNotEqualTo(first);
      assertThat(ports.get("a")).isEqualTo(first);
    }
  }

  @Test
  void isFreeOnEveryAddress() throws Exception {
    try (Ports ports = new Ports(folder, 2);
        ServerSocket busy = new ServerSocket()) {
      int port = ports.get("a");
      busy.bind(new InetSocketAddress(Ports.loopback(2), port));
      assertThatThrownBy(() -> ports.get("a"))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("port " + port, "is in use");
    }
  }

  /** The servers of the first may not have bound their ports yet. */
  @Test
  void staysWithTheFirstSandbox() throws Exception {
    try (Ports first = new Ports(folder, 1)) {
      assertThat(first.get("a")).isPositive();
      assertThatThrownBy(() -> new Ports(folder, 1).close())
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("does another sandbox run on this folder?");
    }
  }
}
