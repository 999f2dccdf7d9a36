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
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ports of the servers of one folder: a block that no other sandbox takes until this is closed.
 *
 * <p>A server binds its ports seconds after they were chosen. So this binds the first port of the
 * block and thereby holds all of it. A file keeps the ports, since servers and people remember
 * them.
 */
final class Ports implements AutoCloseable {
  /** Below the ports that systems give to outgoing connections. */
  private static final int FIRST = 20_000;

  private static final int END = 32_000;

  /** The port that is held, two of a server, one of JMX for each node, and two to spare. */
  private static final int BLOCK = 8;

  private static final String HELD = "held";

  private final Path file;
  private final int nodes;
  private final Properties chosen = new Properties();
  private final ServerSocket held;

  /**
   * Holds the ports of a folder, each on as many addresses of the loopback as there are nodes.
   *
   * @throws SandboxException if another sandbox holds them, or no block is free
   */
  Ports(Path folder, int nodes) throws IOException {
    this.file = folder.resolve("ports.properties");
    this.nodes = nodes;
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        chosen.load(reader);
      }
    }
    String earlier = chosen.getProperty(HELD);
    held = earlier == null ? holdBlock() : hold(Integer.parseInt(earlier));
    keep(HELD, held.getLocalPort());
  }

  /**
   * The port of this name.
   *
   * @throws SandboxException if it is in use
   */
  int get(String name) throws IOException {
    String earlier = chosen.getProperty(name);
    int port = earlier == null ? held.getLocalPort() + chosen.size() : Integer.parseInt(earlier);
    if (!isFree(port)) {
      throw inUse(port);
    }
    keep(name, port);
    return port;
  }

  /** Lets other sandboxes take the ports. */
  @Override
  public void close() {
    try {
      held.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  private ServerSocket holdBlock() throws IOException {
    int blocks = (END - FIRST) / BLOCK;
    int offset = ThreadLocalRandom.current().nextInt(blocks);
    for (int i = 0; i < blocks; i++) {
      int first = FIRST + (offset + i) % blocks * BLOCK;
      ServerSocket socket = bindIfFree(1, first);
      if (socket != null) {
        if (IntStream.range(first + 1, first + BLOCK).allMatch(this::isFree)) {
          return socket;
        }
        socket.close();
      }
    }
    throw new SandboxException(
        "no %s ports in a row of %s to %s are free".formatted(BLOCK, FIRST, END));
  }

  private ServerSocket hold(int port) throws IOException {
    ServerSocket socket = bindIfFree(1, port);
    if (socket == null) {
      throw inUse(port);
    }
    return socket;
  }

  private boolean isFree(int port) {
    return IntStream.rangeClosed(1, nodes).allMatch(node -> isFree(node, port));
  }

  private static boolean isFree(int node, int port) {
    try (ServerSocket probe = bindIfFree(node, port)) {
      return probe != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable ServerSocket bindIfFree(int node, int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(loopback(node), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      return null;
    }
  }

  private SandboxException inUse(int port) {
    return new SandboxException(
        "port %s, which %s names, is in use: does another sandbox run on this folder?"
            .formatted(port, file));
  }

  private void keep(String name, int port) throws IOException {
    String text = Integer.toString(port);
    if (!text.equals(chosen.setProperty(name, text))) {
      try (Writer writer = Files.newBufferedWriter(file)) {
        chosen.store(writer, null);
      }
    }
  }
}
