package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.vertx.core.MultiMap;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Sends requests as bytes, one after the other on a connection that lives as long as it may. */
public final class RawExchanges implements AutoCloseable {
  /** The answer to one request. */
  public record Answer(int status, MultiMap headers, byte[] body) {
    public String header(String name) {
      String value = headers.get(name);
      return value == null ? "" : value;
    }

    public String text() {
      return new String(body, java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return status + " " + headers + text();
    }
  }

  private final IngestServer server;
  private @Nullable Socket socket;
  private @Nullable InputStream in;

  public RawExchanges(IngestServer server) {
    this.server = server;
  }

  public Answer send(byte[] request) throws IOException {
    if (socket == null || in == null) {
      socket = server.socket();
      in = new BufferedInputStream(socket.getInputStream());
    }
    socket.getOutputStream().write(request);
    Answer answer = answer(in);
    if (answer.status() == 100) {
      answer = answer(in);
    }
    if (answer.header("connection").equalsIgnoreCase("close")) {
      close();
    }
    return answer;
  }

  private static Answer answer(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).split(" ")[1]);
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.add(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (headers.contains("transfer-encoding")) {
      for (int size = size(in); size > 0; size = size(in)) {
        body.writeBytes(in.readNBytes(size));
        line(in);
      }
      line(in);
    } else if (headers.contains("content-length")) {
      body.writeBytes(in.readNBytes(Integer.parseInt(headers.get("content-length"))));
    }
    return new Answer(status, headers, body.toByteArray());
  }

  private static int size(InputStream in) throws IOException {
    return Integer.parseInt(line(in), 16);
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("no answer, or half of one: " + line);
      }
      line.write(b);
    }
    return line.toString(ISO_8859_1).strip();
  }

  @Override
  public void close() throws IOException {
    if (socket != null) {
      socket.close();
      socket = null;
    }
  }
}
