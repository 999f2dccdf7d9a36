package hourglass.ingest.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A request as a real client sent it: headers, an empty line and the body of one file {@code
 * requests/PROTOCOL/NAME}.
 *
 * @param head its lines, without those that say how long the body is
 * @param body without the frames of chunks
 * @param recorded the bytes of the file
 */
record RecordedRequest(
    String protocol,
    String name,
    List<String> head,
    boolean isChunked,
    byte[] body,
    byte[] recorded) {
  private static final Path FOLDER = Path.of("src/test/resources/requests");

  /** All recorded requests, in the order of their names. */
  static List<RecordedRequest> all() {
    try (Stream<Path> files = Files.walk(FOLDER)) {
      return files.filter(Files::isRegularFile).sorted().map(RecordedRequest::read).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecordedRequest read(Path file) {
    try {
      byte[] recorded = Files.readAllBytes(file);
      String text = new String(recorded, ISO_8859_1);
      int end = text.indexOf("\r\n\r\n");
      List<String> lines = text.substring(0, end).lines().toList();
      boolean isChunked = lines.stream().anyMatch(line -> isHeader(line, "transfer-encoding"));
      String rest = text.substring(end + 4);
      return new RecordedRequest(
          file.getParent().getFileName().toString(),
          file.getFileName().toString(),
          lines.stream().filter(line -> !isFraming(line)).toList(),
          isChunked,
          isChunked ? unchunk(rest) : rest.getBytes(ISO_8859_1),
          recorded);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isFraming(String line) {
    return isHeader(line, "content-length")
        || isHeader(line, "transfer-encoding")
        || isHeader(line, "expect");
  }

  static boolean isHeader(String line, String name) {
    return line.toLowerCase(Locale.ROOT).startsWith(name + ":");
  }

  private static byte[] unchunk(String chunks) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int at = 0; ; ) {
      int lineEnd = chunks.indexOf("\r\n", at);
      int size = Integer.parseInt(chunks.substring(at, lineEnd), 16);
      if (size == 0) {
        return body.toByteArray();
      }
      at = lineEnd + 2;
      body.writeBytes(chunks.substring(at, at + size).getBytes(ISO_8859_1));
      at += size + 2;
    }
  }

  /** The value of a header, empty if there is none. */
  String header(String headerName) {
    return head.stream()
        .filter(line -> isHeader(line, headerName))
        .map(line -> line.substring(headerName.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  /** The bytes of a request with another head and body, and a length that is right. */
  byte[] with(List<String> otherHead, byte[] otherBody) {
    String framing =
        isChunked ? "Transfer-Encoding: chunked" : "Content-Length: " + otherBody.length;
    ByteArrayOutputStream request = new ByteArrayOutputStream(otherBody.length + 1024);
    request.writeBytes(
        (String.join("\r\n", otherHead) + "\r\n" + framing + "\r\n\r\n").getBytes(ISO_8859_1));
    if (isChunked) {
      int half = otherBody.length / 2;
      chunk(request, otherBody, 0, half);
      chunk(request, otherBody, half, otherBody.length);
      request.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
    } else {
      request.writeBytes(otherBody);
    }
    return request.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream request, byte[] b, int from, int to) {
    if (from < to) {
      request.writeBytes((Integer.toHexString(to - from) + "\r\n").getBytes(ISO_8859_1));
      request.write(b, from, to - from);
      request.writeBytes("\r\n".getBytes(ISO_8859_1));
    }
  }

  @Override
  public String toString() {
    return protocol + "/" + name;
  }
}
