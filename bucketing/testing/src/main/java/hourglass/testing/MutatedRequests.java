package hourglass.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Random;

/**
 * Makes requests as clients send them, with some bytes changed, doubled, left out or swapped with
 * those of another request.
 */
public final class MutatedRequests {
  private static final String EVENT = "{\"type\":\"mutated\",\"time\":1795161600}";
  private static final String HEAD =
      "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  private static final List<String> WHOLE =
      List.of(
          HEAD + "Content-Length: " + EVENT.length() + "\r\n\r\n" + EVENT,
          HEAD
              + "Transfer-Encoding: chunked\r\n\r\n5\r\n"
              + EVENT.substring(0, 5)
              + "\r\n%x;a=b\r\n".formatted(EVENT.length() - 5)
              + EVENT.substring(5)
              + "\r\n0\r\nX: y\r\n\r\n",
          "GET /api/v1/types?type=%C3%BC HTTP/1.1\r\nHost: [::1]:80\r\nOrigin: http://[::1]:80\r\n\r\n",
          "HEAD http://localhost/ HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n");

  private static final List<String> SIGNS =
      List.of(
          "\r\n",
          "\n",
          "\r",
          " ",
          "\t",
          ":",
          ",",
          ";",
          "\u0000",
          "%",
          "\u00ff",
          "/",
          "0",
          "1",
          "a",
          "HTTP/1.0",
          "Host: b\r\n",
          "Content-Length: 3\r\n",
          "Transfer-Encoding: chunked\r\n",
          "Connection: close\r\n",
          "Expect: 100-continue\r\n");

  private final Random random;

  public MutatedRequests(Random random) {
    this.random = random;
  }

  /** Returns one to three requests on one connection, with up to four changes. */
  public byte[] next() {
    StringBuilder text = new StringBuilder();
    for (int requests = 1 + random.nextInt(3); requests > 0; requests--) {
      text.append(WHOLE.get(random.nextInt(WHOLE.size())));
    }
    for (int changes = random.nextInt(5); changes > 0 && text.length() > 0; changes--) {
      change(text);
    }
    return text.toString().getBytes(ISO_8859_1);
  }

  private void change(StringBuilder text) {
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + 1 + random.nextInt(8));
    String sign = SIGNS.get(random.nextInt(SIGNS.size()));
    switch (random.nextInt(5)) {
      case 0 -> text.setCharAt(at, (char) random.nextInt(256));
      case 1 -> text.insert(at, sign);
      case 2 -> text.replace(at, end, sign);
      case 3 -> text.delete(at, end);
      default -> text.insert(at, text.substring(at, end));
    }
  }
}
