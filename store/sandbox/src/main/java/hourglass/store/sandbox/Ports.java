package hourglass.store.sandbox;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The ports of the servers of one folder, kept in a file, since servers and people remember them.
 */
final class Ports {
  /** Below the ports that systems give to outgoing connections. */
  private static final int FIRST = 20_000;

  private static final int END = 32_000;

  private final Path file;
  private final Properties chosen;

  private Ports(Path file, Properties chosen) {
    this.file = file;
    this.chosen = chosen;
  }

  static Ports of(Path folder) {
    Path file = folder.resolve("ports.properties");
    Properties chosen = new Properties();
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        chosen.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new Ports(file, chosen);
  }

  /**
   * A port that is free on the first addresses of the loopback, as many as there are nodes.
   *
   * @throws SandboxException if it was chosen earlier and is in use now
   */
  int get(String name, int nodes) {
    String earlier = chosen.getProperty(name);
    if (earlier != null) {
      int port = Integer.parseInt(earlier);
      if (!isFree(port, nodes)) {
        throw new SandboxException(
            "port %s, which %s names, is in use: does another sandbox run on this folder?"
                .formatted(port, file));
      }
      return port;
    }
    int port = choose(nodes);
    chosen.setProperty(name, Integer.toString(port));
    try (Writer writer = Files.newBufferedWriter(file)) {
      chosen.store(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return port;
  }

  static InetAddress loopback(int n) {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) n});
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e); // four bytes are always an address
    }
  }

  static boolean isOpen(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private int choose(int nodes) {
    int offset = ThreadLocalRandom.current().nextInt(END - FIRST);
    for (int i = 0; i < END - FIRST; i++) {
      int port = FIRST + (offset + i) % (END - FIRST);
      if (!chosen.containsValue(Integer.toString(port)) && isFree(port, nodes)) {
        return port;
      }
    }
    throw new SandboxException("no port of " + FIRST + " to " + END + " is free");
  }

  private static boolean isFree(int port, int nodes) {
    for (int node = 1; node <= nodes; node++) {
      try (ServerSocket probe = new ServerSocket()) {
        probe.setReuseAddress(true);
        probe.bind(new InetSocketAddress(loopback(node), port));
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }
}
