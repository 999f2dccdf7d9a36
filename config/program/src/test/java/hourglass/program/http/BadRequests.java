package hourglass.program.http;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Requests that are not let in, each with its status and a part of the reason. */
final class BadRequests {
  private static final String EVENT =
      "{\"type\":\"smuggled\",\"time\":1795161600.1}"; // of 39 bytes, 0x27
  private static final String CHUNKED = "Transfer-Encoding: chunked";
  private static final String LENGTH = "Content-Length: " + EVENT.length();
  private static final String CHUNK = Integer.toHexString(EVENT.length()) + "\r\n" + EVENT + "\r\n";

  private BadRequests() {}

  static Stream<Arguments> all() {
    return Stream.of(targets(), versions(), hosts(), origins(), heads(), bodies()).flatMap(s -> s);
  }

  /** A push that would be stored, were it worked on. */
  static String push() {
    return push(LENGTH, EVENT);
  }

  private static Stream<Arguments> targets() {
    String notUtf8 = "is not UTF-8, percent-encoded";
    return Stream.of(
        get("/%zz", 400, notUtf8),
        get("/%", 400, notUtf8),
        get("/%c3%28", 400, notUtf8),
        get("/%00", 400, notUtf8),
        get("/api/v1/types?type=%zz", 400, notUtf8),
        get("/api/v1/types?type=%4", 400, notUtf8),
        get("/api/v1/types?%ff=a", 400, notUtf8),
        get("/\u00ff", 400, "the target is not percent-encoded"),
        get("/a b", 400, "with one space between them"),
        get("/#a", 400, "has a #"),
        get("*", 400, "want a path"),
        get("nope", 400, "want a path"),
        get("ftp://localhost/", 400, "want a path"),
        get("http:///", 400, "names no host"),
        get("http://evil.example/api/v1/types", 421, "Host: \\\"evil.example\\\" is not a name of"),
        get("/../", 404, "there is nothing at"),
        get("/" + "x".repeat(6000), 414, "http.max-header-bytes"),
        line("CONNECT localhost:80 HTTP/1.1", 405, "CONNECT is not taken here"),
        line("TRACE /api/v1/events HTTP/1.1", 405, "TRACE is not taken here"),
        line("OPTIONS * HTTP/1.1", 405, "OPTIONS is not taken here"),
        line("G@T / HTTP/1.1", 400, "not HTTP: the method"));
  }

  private static Stream<Arguments> versions() {
    return Stream.of(
        line("GET / HTTP/1.2", 505, "HTTP/1.2 is not spoken here"),
        line("GET / HTTP/2.0", 505, "HTTP/2.0 is not spoken here"),
        line("GET / HTTP/0.9", 505, "HTTP/0.9 is not spoken here"),
        arguments("PRI * HTTP/2.0\r\n\r\nS\r\n\r\n", 505, "HTTP/2.0 is not spoken here"),
        line("GET / http/1.1", 400, "not HTTP: the version"),
        line("GET / HTTP/1.1 ", 400, "with one space between them"),
        line("GET /", 400, "with one space between them"),
        line(" GET / HTTP/1.1", 400, "a request begins with byte 0x20"),
        arguments("\u0016\u0003\u0001\u0002", 400, "a request begins with byte 0x16"));
  }

  private static Stream<Arguments> hosts() {
    Stream<String> foreign =
        Stream.of(
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "evil.localhost",
            "127.0.0.1.nip.io",
            "2130706433",
            "0x7f.0.0.1");
    Stream<String> none =
        Stream.of("", "a@localhost", "localhost,evil", "localhost:x", "[::1", "local host");
    return Stream.of(
            foreign.map(host -> host("Host: " + host, 421, "is not a name of this server")),
            none.map(host -> host("Host: " + host, 400, "want a name or an address")),
            Stream.of(
                host("Host: localhost\r\nHost: localhost", 400, "host: given more than once"),
                host("Host: localhost\r\nhOST: evil.example", 400, "host: given more than once"),
                host("X: y", 400, "Host: missing"),
                host(
                    "Host: localhost\r\nAuthorization: Bearer a\r\nAUTHORIZATION: Bearer b",
                    400,
                    "authorization: given more than once, want it once"),
                host(
                    "Host: localhost\r\nX-API-Key: a\r\nX-Api-Key: a",
                    400,
                    "x-api-key: given more than once, want it once")))
        .flatMap(s -> s);
  }

  private static Stream<Arguments> origins() {
    String refused = "may not send requests here";
    return Stream.of(
            "null",
            "http://evil.example",
            "http://localhost:1",
            "https://localhost:8080",
            "http://127.0.0.1",
            "file://",
            "localhost",
            "http://localhost\r\nOrigin: http://localhost")
        .flatMap(
            origin ->
                Stream.of(
                    arguments(push("Origin: " + origin + "\r\n" + LENGTH, EVENT), 403, refused),
                    arguments(
                        "GET /health/../api/v1/types HTTP/1.1\r\nHost: localhost\r\nOrigin: "
                            + origin
                            + "\r\nConnection: close\r\n\r\n",
                        403,
                        refused)));
  }

  private static Stream<Arguments> heads() {
    return Stream.of(
        arguments(push(LENGTH + "\r\n" + LENGTH, EVENT), 400, "content-length: given more than"),
        arguments(push(LENGTH + "\r\nContent-Length: 0", EVENT), 400, "given more than once"),
        arguments(push(LENGTH + ", " + EVENT.length(), EVENT), 400, "want a number of bytes"),
        arguments(push("Content-Length: +39", EVENT), 400, "want a number of bytes"),
        arguments(push("Content-Length: -1", EVENT), 400, "want a number of bytes"),
        arguments(push("Content-Length: 0x27", EVENT), 400, "want a number of bytes"),
        arguments(push("Content-Length: 3 9", EVENT), 400, "want a number of bytes"),
        arguments(push("Content-Length:", EVENT), 400, "want a number of bytes"),
        arguments(push("Content-Length: 9999999999999999999", EVENT), 400, "want a number"),
        arguments(push("Content-Length : 39", EVENT), 400, "the name of a header"),
        arguments(push(CHUNKED + "\r\n" + LENGTH, CHUNK + "0\r\n\r\n"), 400, "want one of them"),
        arguments(push(LENGTH + "\r\n" + CHUNKED, CHUNK + "0\r\n\r\n"), 400, "want one of them"),
        arguments(push(CHUNKED + "\r\n" + CHUNKED, CHUNK + "0\r\n\r\n"), 400, "more than once"),
        arguments(push("Transfer-Encoding: xchunked\r\n" + LENGTH, EVENT), 400, "chunked alone"),
        arguments(push("Transfer-Encoding: identity\r\n" + LENGTH, EVENT), 400, "chunked alone"),
        arguments(push("Transfer-Encoding: gzip, chunked", CHUNK), 400, "chunked alone"),
        arguments(push("Transfer-Encoding: chunked, gzip", CHUNK), 400, "chunked alone"),
        arguments(push("Transfer-Encoding:\r\n chunked", CHUNK), 400, "chunked alone"),
        arguments(push("Transfer-Encoding: \u000bchunked", CHUNK), 400, "has byte 0x0b"),
        arguments(push("X: a\r\n b\r\n" + LENGTH, EVENT), 400, "the name of a header"),
        arguments(push("X: a\n" + LENGTH, EVENT), 400, "a line ends without CR"),
        arguments(push("X: a\u0000b\r\n" + LENGTH, EVENT), 400, "has byte 0x00"),
        arguments(push("X: a\rb\r\n" + LENGTH, EVENT), 400, "has byte 0x0d"),
        arguments(push("X\r\n" + LENGTH, EVENT), 400, "the name of a header"),
        arguments(push("X: " + "x".repeat(6000) + "\r\n" + LENGTH, EVENT), 431, "max-header"),
        arguments(push("Sec-WebSocket-Key1: a\r\nSec-WebSocket-Key2: b", EVENT), 400, "draft"),
        arguments(
            push(CHUNKED, CHUNK + "0\r\n\r\n").replace("HTTP/1.1", "HTTP/1.0"),
            400,
            "not in HTTP/1.0"));
  }

  private static Stream<Arguments> bodies() {
    Stream<String> sizes =
        List.of("", "zz", "-1", "+5", "0x5", "27 ", " 27", "27 5", "27\t", "fffffffff", "100000000")
            .stream()
            .map(size -> size + "\r\n" + EVENT + "\r\n0\r\n\r\n");
    return Stream.of(
            Stream.concat(sizes, Stream.of("27\n" + EVENT + "\r\n0\r\n\r\n"))
                .map(body -> arguments(push(CHUNKED, body), 400, "the size of a chunk")),
            Stream.of(
                    "5\r\n" + EVENT + "\r\n0\r\n\r\n",
                    CHUNK.replace("}\r\n", "}\n") + "0\r\n\r\n",
                    "27;" + "x".repeat(6000) + "\r\n" + EVENT,
                    "27;a\nb\r\n" + EVENT,
                    CHUNK + "0\r\nno colon\r\n\r\n")
                .map(body -> arguments(push(CHUNKED, body), 400, "its chunks are malformed")),
            Stream.of(
                arguments(
                    push(CHUNKED, CHUNK + "0\r\nX: " + "x".repeat(6000) + "\r\n\r\n"),
                    431,
                    "the trailers are too long"),
                arguments(
                    push(CHUNKED, "2\r\nhi\r\n0\r\n\r\n").replace("application/json", "text/csv"),
                    415,
                    "Content-Type")))
        .flatMap(s -> s);
  }

  private static Arguments get(String target, int status, String detail) {
    return line("GET " + target + " HTTP/1.1", status, detail);
  }

  private static Arguments line(String line, int status, String detail) {
    String request = line + "\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    return arguments(request, status, detail);
  }

  private static Arguments host(String headers, int status, String detail) {
    return arguments(push(LENGTH, EVENT).replace("Host: localhost", headers), status, detail);
  }

  private static String push(String headers, String body) {
    return "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Connection: close\r\n"
        + headers
        + "\r\n\r\n"
        + body;
  }
}
