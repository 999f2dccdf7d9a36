package hourglass.config;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** HTTP by hand, for what no client library would send. */
final class RawHttp {
  private static final int PATIENCE_MILLIS = 20_000;

  private RawHttp() {}

  static Socket connect(ServerProcess server) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  /** Sends all of it and reads until the server closes. */
  static String exchange(ServerProcess server, String request) throws IOException {
    try (Socket socket = connect(server)) {
      write(socket, request);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }
}
