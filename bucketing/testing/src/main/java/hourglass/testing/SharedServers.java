package hourglass.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;

/** Servers that a run of {@code ./verify} starts once, for the tests of all modules. */
public final class SharedServers {
  /** The port of the runner, in the JVMs that it starts. */
  private static final String PORT = "hourglass.servers.port";

  private SharedServers() {}

  /**
   * Waits until a server answers, and returns its address. It is empty where there is no runner, as
   * in Maven or a development environment, and a test starts its own server.
   *
   * @param name {@code cassandra}
   * @throws IllegalStateException if the server does not start, with the reason
   */
  public static Optional<InetSocketAddress> address(String name) {
    Integer port = Integer.getInteger(PORT);
    if (port == null) {
      return Optional.empty();
    }
    try (Socket runner = new Socket(InetAddress.getLoopbackAddress(), port);
        PrintWriter ask = new PrintWriter(runner.getOutputStream(), true, UTF_8);
        BufferedReader answer =
            new BufferedReader(new InputStreamReader(runner.getInputStream(), UTF_8))) {
      ask.println("server " + name);
      String address = answer.readLine();
      if (address == null || address.startsWith("error ")) {
        throw new IllegalStateException("no shared server \"" + name + "\": " + address);
      }
      int colon = address.lastIndexOf(':');
      return Optional.of(
          new InetSocketAddress(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
