package hourglass.query.http;

import hourglass.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * The bytes of an answer from a socket, parsed by hand.
 *
 * @param body as sent, of all chunks
 * @param trailers with the names in lower case; empty where there are none
 */
public record RawAnswer(
    String status,
    TreeMap<String, String> headers,
    byte[] body,
    TreeMap<String, String> trailers,
    boolean isWhole) {
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;

  public static RawAnswer ask(int port, String path, String... headers) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      send(socket, path, headers);
      return read(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void send(Socket socket, String path, String... headers) throws IOException {
    StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.1\r\nHost: h\r\n");
    for (int i = 0; i < headers.length; i += 2) {
      request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
    }
    request.append("Connection: close\r\n\r\n");
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
  }

  public static void write(Socket socket, String bytes) throws IOException {
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
  }

  private static RawAnswer read(InputStream in) throws IOException {
    ByteArrayInputStream bytes = new ByteArrayInputStream(all(in));
    String status = line(bytes);
    TreeMap<String, String> headers = fields(bytes);
    TreeMap<String, String> trailers = new TreeMap<>();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (!headers.containsKey("transfer-encoding")) {
      body.write(bytes.readAllBytes());
      int length = Integer.parseInt(headers.get("content-length"));
      return new RawAnswer(status, headers, body.toByteArray(), trailers, body.size() == length);
    }
    while (true) {
      String size = line(bytes);
      if (size.isEmpty()) {
        return new RawAnswer(status, headers, body.toByteArray(), trailers, false);
      }
      int length = Integer.parseInt(size, 16);
      if (length == 0) {
        return new RawAnswer(status, headers, body.toByteArray(), fields(bytes), true);
      }
      body.write(bytes.readNBytes(length));
      line(bytes);
    }
  }

  /** Reads to the end of the connection, however it ends. */
  private static byte[] all(InputStream in) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (SocketException e) {
      // cut off: the bytes so far show that it is not whole
    }
    return all.toByteArray();
  }

  private static TreeMap<String, String> fields(InputStream in) throws IOException {
    TreeMap<String, String> fields = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      fields.put(line.substring(0, colon).toLowerCase(), line.substring(colon + 1).strip());
    }
    return fields;
  }

  public static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      line.append((char) b);
    }
    return line.toString().stripTrailing();
  }
}
