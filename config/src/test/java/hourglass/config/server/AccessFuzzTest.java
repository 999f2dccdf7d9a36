package hourglass.config.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.Scope;
import hourglass.testing.Patience;
import hourglass.testing.Seed;
import hourglass.testing.Tier;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random and mutated requests without a right key each get a refusal that reveals nothing else. */
class AccessFuzzTest {
  private static final String MARK = "mark-of-an-event-7f3a";
  private static final List<String> PATHS =
      List.of(
          "/api/v1/events",
          "/api/v1/types",
          "/api/v1/hits",
          "/api/v1/fields",
          "/api/v1/filter",
          "/api/v1/rows",
          "/api/v1/rejects",
          "/api/v1/plan",
          "/api/v1/tail",
          "/metrics",
          "/api/v1/session");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "get", "X");
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;

  @TempDir private Path folder;

  private final Random random = Seed.random(this);
  private String secret = "";
  private @Nullable Socket socket;

  @Test
  void refusalsRevealNothing() throws Exception {
    KeysFile keys = new KeysFile(folder.resolve("keys.conf"));
    secret = KeyedServer.add(keys, "ada", "*", null, Scope.ADMIN);
    // Each request has an address of its own, or the wrong keys would be slowed down.
    try (KeyedServer server = new KeyedServer(folder, keys, "http.trusted-proxies=127.0.0.1")) {
      URI uri = server.uri("/");
      send(uri, push());
      for (int i = 0; i < Tier.length(1_500, 10_000, 1_000_000); i++) {
        String request = request();
        String answer = send(uri, request);
        String shown = request.substring(0, Math.min(request.length(), 600));
        assertThat(answer).as(shown).startsWith("HTTP/1.1 ");
        int status = Integer.parseInt(answer.substring(9, 12));
        if (status != 204 || !request.startsWith("DELETE")) { // to end no session is no mistake
          assertThat(status).as(shown + answer).isBetween(400, 499);
        }
        assertThat(answer)
            .as(shown)
            .doesNotContain(MARK)
            .doesNotContain("hourglass_ingest")
            .doesNotContain(secret);
      }
    } finally {
      close();
    }
  }

  private String push() {
    String body = "{\"type\":\"" + MARK + "\"}";
    return "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "X-API-Key: %s\r\nContent-Length: %d\r\n\r\n%s".formatted(secret, body.length(), body);
  }

  private String request() {
    StringBuilder head = new StringBuilder();
    head.append(pick(METHODS))
        .append(' ')
        .append(path())
        .append(" HTTP/1.1\r\nHost: localhost\r\n");
    head.append("X-Forwarded-For: 10.").append(random.nextInt(256)).append('.');
    head.append(random.nextInt(256)).append('.').append(random.nextInt(256)).append("\r\n");
    for (int i = random.nextInt(4); i > 0; i--) {
      head.append(header()).append("\r\n");
    }
    return head.append("\r\n").toString();
  }

  private String path() {
    String path = pick(PATHS);
    return switch (random.nextInt(6)) {
      case 0 -> "/" + path;
      case 1 -> path + "/";
      case 2 -> path.replaceFirst("[a-z]", "%" + Integer.toHexString('a' + random.nextInt(26)));
      case 3 -> "/x/.." + path;
      case 4 -> path + "?key=" + mutated() + "&access_token=" + mutated();
      default -> path;
    };
  }

  private String header() {
    String wrong = mutated();
    String pair = Base64.getEncoder().encodeToString(("ada:" + wrong).getBytes(ISO_8859_1));
    return switch (random.nextInt(8)) {
      case 0 -> "Authorization: Bearer " + wrong;
      case 1 -> "Authorization: Basic " + pair;
      case 2 -> "Authorization: ApiKey " + pair;
      case 3 -> "X-API-Key: " + wrong;
      case 4 -> "Cookie: hourglass-session=" + wrong;
      case 5 -> "Authorization: " + wrong;
      case 6 -> "Cookie: a=b; hourglass-session=" + pair + "; " + wrong + "=" + wrong;
      default -> "Authorization: Bearer " + wrong.repeat(1 + random.nextInt(200));
    };
  }

  /** Returns a text similar to the secret, but never the secret. */
  private String mutated() {
    char[] chars = secret.toCharArray();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(chars.length);
      char before = chars[at];
      while (chars[at] == before || chars[at] == '#') {
        chars[at] = (char) ('!' + random.nextInt(94));
      }
    }
    String text = new String(chars);
    return text.equals(secret) ? "hg_" : random.nextInt(10) == 0 ? text.substring(0, 8) : text;
  }

  private <T> T pick(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String send(URI server, String request) throws IOException {
    Socket to = socket;
    if (to == null) {
      to = new Socket(server.getHost(), server.getPort());
      to.setSoTimeout(PATIENCE_MILLIS);
      socket = to;
    }
    to.getOutputStream().write(request.getBytes(ISO_8859_1));
    String answer = read(new BufferedInputStream(to.getInputStream()), request.startsWith("HEAD"));
    if (answer.isEmpty() || answer.toLowerCase(Locale.ROOT).contains("connection: close")) {
      close();
    }
    return answer;
  }

  /** One answer with a Content-Length, as every refusal has. */
  private static String read(InputStream in, boolean isHead) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (!all.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return all.toString(ISO_8859_1);
      }
      all.write(next);
    }
    String head = all.toString(ISO_8859_1);
    String length = head.replaceAll("(?is).*content-length: (\\d+).*", "$1");
    if (!isHead && !length.equals(head)) {
      all.writeBytes(in.readNBytes(Integer.parseInt(length)));
    }
    return all.toString(ISO_8859_1);
  }

  private void close() throws IOException {
    Socket open = socket;
    if (open != null) {
      open.close();
      socket = null;
    }
  }
}
