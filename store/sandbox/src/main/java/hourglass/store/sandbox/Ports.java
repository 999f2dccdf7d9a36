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
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ports of the servers of one folder: a block that no other sandbox uses until this is closed.
 *
 * <p>A server binds its ports seconds after they are chosen, and releases them while it restarts.
 * So the first port of the block is bound here, and other sandboxes pass over the block. A file
 * keeps the ports, since servers and people remember them.
 */
final class Ports implements AutoCloseable {
  /**
   * The first port that a block may have. All blocks are below the ports that systems give to
   * outgoing connections.
   */
  private static final int FIRST = 20_000;

  private static final int END = 32_000;

  /** The held port, two that all servers share, those of JMX of three nodes, and two to spare. */
  private static final int BLOCK = 8;

  private static final String HELD = "held";

  private final Path file;
  private final int nodes;
  private final Properties chosen = new Properties();
  private final ServerSocket held;

  /**
   * Holds the ports of a folder, and chooses them if it has none yet.
   *
   * @param nodes so many first addresses of the loopback must have each port free
   * @throws SandboxException if another sandbox holds the block, or none is free
   */
  Ports(Path folder, int nodes, List<String> names) throws IOException {
    this.file = folder.resolve("ports.properties");
    this.nodes = nodes;
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        chosen.load(reader);
      }
    }
    if (chosen.containsKey(HELD)) {
      held = hold(port(HELD));
      return;
    }
    held = holdBlock();
    chosen.setProperty(HELD, Integer.toString(held.getLocalPort()));
    for (int i = 0; i < names.size(); i++) {
      chosen.putIfAbsent(names.get(i), Integer.toString(held.getLocalPort() + 1 + i));
    }
    try (Writer writer = Files.newBufferedWriter(file)) {
      chosen.store(writer, null);
    } catch (IOException e) {
      held.close();
      throw e;
    }
  }

  /**
   * The port of this name.
   *
   * @throws SandboxException if it is in use
   */
  int get(String name) {
    int port = port(name);
    if (!isFree(port)) {
      throw inUse(port);
    }
    return port;
  }

  private int port(String name) {
    String port = chosen.getProperty(name);
    if (port == null) {
      throw new SandboxException(file + " names no port \"" + name + "\"; delete the folder");
    }
    return Integer.parseInt(port);
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
        if (IntStream.range(first + 1, first + BLOCK).allMatch(this::isFree)
            && IntStream.range(first, first + BLOCK).noneMatch(this::isChosen)) {
          return socket;
        }
        socket.close();
      }
    }
    throw new SandboxException(
        "no %s ports in a row of %s to %s are free".formatted(BLOCK, FIRST, END));
  }

  /**
   * Whether an earlier version chose this port. That version chose each port on its own, and held
   * none.
   */
  private boolean isChosen(int port) {
    return chosen.containsValue(Integer.toString(port));
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
      return false;
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
}
