package hourglass.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** Speaks HTTP by hand, for requests that no client library would send. */
public final class RawHttp {
  private RawHttp() {}

  public static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(Patience.LONGEST_MILLIS);
    return socket;
  }

  /** Sends the whole request, and reads until the server closes the connection. */
  public static String exchange(int port, String request) throws IOException {
    return new String(exchangeBytes(port, request), StandardCharsets.UTF_8);
  }

  /**
   * Sends a request as {@link #exchange} does, for answers that are no text. If the connection is
   * reset, it returns the bytes received so far.
   */
  public static byte[] exchangeBytes(int port, String request) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try (Socket socket = connect(port)) {
      write(socket, request);
      socket.getInputStream().transferTo(answer);
    } catch (SocketException e) {
      if (answer.size() == 0) {
        throw e;
      }
    }
    return answer.toByteArray();
  }

  /**
   * Joins the chunks of a body, and returns the bytes after the last one.
   *
   * @param answer the whole answer, in ISO 8859-1
   * @param from the position at which the body begins
   */
  public static String unchunk(String answer, int from, ByteArrayOutputStream body) {
    int at = from;
    while (true) {
      int lineEnd = answer.indexOf("\r\n", at);
      int size = Integer.parseInt(answer.substring(at, lineEnd), 16);
      at = lineEnd + 2;
      if (size == 0) {
        return answer.substring(at);
      }
      body.writeBytes(answer.substring(at, at + size).getBytes(ISO_8859_1));
      at += size + 2;
    }
  }

  public static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }
}
