package hourglass.verify;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The socket on the loopback address by which the JVMs of tests reach the runner. The first line of
 * a connection says what it is for. Thread-safe.
 *
 * <pre>
 * suite MODULE    the report of a module's tests follows
 * server NAME     asks for the address of a server, which is started if it is not there yet
 * </pre>
 */
final class Desk implements AutoCloseable {
  private final ServerSocket socket;
  private final Servers servers;
  private final Map<String, CompletableFuture<Socket>> reports = new ConcurrentHashMap<>();

  private Desk(ServerSocket socket, Servers servers) {
    this.socket = socket;
    this.servers = servers;
  }

  static Desk open(Servers servers) throws IOException {
    Desk desk = new Desk(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), servers);
    daemon("desk", desk::serve);
    return desk;
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Returns the connection by which the tests of a module report, once their JVM has opened it. */
  CompletableFuture<Socket> reportOf(String module) {
    return reports.computeIfAbsent(module, name -> new CompletableFuture<>());
  }

  static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  private void serve() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        daemon("desk-client", () -> serve(client));
      } catch (IOException e) {
        // The socket is closed, or a client has disconnected.
      }
    }
  }

  private void serve(Socket client) {
    try {
      String[] words = firstLine(client).split(" ", 2);
      if (words[0].equals("suite")) {
        reportOf(words[1]).complete(client);
        return;
      }
      try (client;
          PrintWriter answer = new PrintWriter(client.getOutputStream(), true, UTF_8)) {
        answer.println(servers.address(words[1]));
      }
    } catch (IOException e) {
      System.err.println("a JVM of tests is gone: " + e);
    }
  }

  /**
   * Reads a line byte by byte, so that the bytes after it are left for the reader of the report.
   */
  private static String firstLine(Socket client) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = client.getInputStream().read(); next != '\n'; ) {
      if (next < 0) {
        throw new IOException("ended in its first line: " + line);
      }
      line.append((char) next);
      next = client.getInputStream().read();
    }
    return line.toString().strip();
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
