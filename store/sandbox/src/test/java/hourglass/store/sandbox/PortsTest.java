package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.testing.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
  @TempDir Path folder;

  private Ports ports(int nodes) throws IOException {
    return new Ports(folder, nodes, List.of("a", "b"));
  }

  @Test
  void portsAreKeptAcrossRestarts() throws Exception {
    int first;
    try (Ports ports = ports(2)) {
      first = ports.get("a");
      assertThat(ports.get("b")).isNotEqualTo(first);
    }
    try (Ports ports = ports(2)) {
      assertThat(ports.get("a")).isEqualTo(first);
    }
  }

  @Test
  void portsAreFreeOnEveryAddress() throws Exception {
    try (Ports ports = ports(2);
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
  void aSecondSandboxOfAFolderIsRefused() throws Exception {
    try (Ports first = ports(1)) {
      assertThat(first.get("a")).isPositive();
      assertThatThrownBy(() -> ports(1).close())
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("does another sandbox run on this folder?");
    }
  }

  @Test
  void noTwoFoldersShareAPort() throws Exception {
    List<Ports> all = new ArrayList<>();
    Set<Integer> taken = new HashSet<>();
    try {
      for (int i = 0; i < 300; i++) { // enough that ports chosen at random would meet
        Path own = Files.createDirectory(folder.resolve("folder" + i));
        all.add(new Ports(own, 1, List.of("a", "b")));
        assertThat(taken.add(all.get(i).get("a"))).isTrue();
        assertThat(taken.add(all.get(i).get("b"))).isTrue();
      }
    } finally {
      all.forEach(Ports::close);
    }
  }

  @Test
  void portsRecordedInAFolderAreReused() throws Exception {
    int earlier = FreePorts.next();
    Files.writeString(folder.resolve("ports.properties"), "a=" + earlier + "\n");
    for (int i = 0; i < 2; i++) {
      try (Ports ports = ports(1)) {
        assertThat(ports.get("a")).isEqualTo(earlier);
      }
    }
  }
}
