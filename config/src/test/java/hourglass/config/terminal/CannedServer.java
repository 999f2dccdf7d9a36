package hourglass.config.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Gives each connection the next of some answers, byte for byte, and closes it. */
final class CannedServer implements AutoCloseable {
  private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final Thread thread;

  CannedServer(String... answers) throws IOException {
    thread = new Thread(() -> answer(answers), "canned-server");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns an answer with the length of its body. */
  static String whole(String head, String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: "
        + body.getBytes(StandardCharsets.UTF_8).length
        + "\r\n"
        + head
        + "\r\n"
        + body;
  }

  /** Returns an answer with the body in one chunk, followed by {@code end}. */
  static String chunked(String body, String end) {
    return "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Hourglass-Complete\r\n\r\n"
        + Integer.toHexString(body.length())
        + "\r\n"
        + body
        + "\r\n"
        + end;
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  /** The heads of the requests so far. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(String... answers) {
    try {
      for (String answer : answers) {
        try (Socket client = socket.accept()) {
          requests.add(head(client));
          client.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
          client.shutdownOutput();
        }
      }
      socket.close();
    } catch (IOException e) {
      if (!socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static String head(Socket client) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
    StringBuilder head = new StringBuilder();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      head.append(line).append('\n');
    }
    return head.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
