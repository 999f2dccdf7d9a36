package hourglass.config.gate;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks a request's head before the decoder sees it. It refuses every form that two readers could
 * understand differently: the request's end (RFC 9112, section 11.2), its host or its key. Used for
 * one head.
 */
final class HeadLines {
  /**
   * The most headers of one request, and the most trailers. A short header occupies some 130 bytes
   * of the heap for 4 on the wire, so a limit of bytes alone does not bound the memory. Browsers
   * behind proxies send some 40 headers.
   */
  static final int HEADERS_MAX = 200;

  private static final Pattern BYTES = Pattern.compile("\\d{1,18}");
  private static final int SHOWN_MAX = 100;

  private static final String HOST = "host";
  private static final String LENGTH = "content-length";
  private static final String ENCODING = "transfer-encoding";

  /**
   * The headers that may contain a key. They must not be repeated, because a proxy before this
   * server may have checked the other occurrence.
   */
  static final List<String> CREDENTIALS = List.of("authorization", "x-api-key");

  /** The names of the headers seen so far that must not be repeated. */
  private final Set<String> given = new HashSet<>();

  private boolean started;
  private boolean whole;
  private boolean isVersion10;
  private int headers;
  private long bodyBytes;

  /** Returns whether the empty line that ends the head was read. */
  boolean isWhole() {
    return whole;
  }

  /** Returns whether the body is chunked. Valid once the head has ended. */
  boolean isChunked() {
    return given.contains(ENCODING);
  }

  /** Returns the length of a body that is not chunked. Valid once the head has ended. */
  long bodyBytes() {
    return bodyBytes;
  }

  /**
   * Checks the whole lines from a position up to the end of the head. Returns the position after
   * them.
   */
  int read(ByteBuf in, int from) {
    int at = from;
    while (true) {
      if (!started && at < in.writerIndex()) {
        checkFirst(in.getByte(at));
      }
      int lf = in.indexOf(at, in.writerIndex(), (byte) '\n');
      if (lf < 0) {
        return at;
      }
      boolean hasCr = lf > at && in.getByte(lf - 1) == '\r';
      int end = hasCr ? lf - 1 : lf;
      if (started && !hasCr) {
        throw RefusedRequest.bad("not HTTP: a line ends without CR");
      }
      if (started && end == at) {
        checkWhole();
        return lf + 1;
      }
      if (started) {
        header(in, at, end);
      } else if (end > at) {
        if (!hasCr) {
          throw RefusedRequest.bad("not HTTP: a line ends without CR");
        }
        started = true;
        requestLine(text(in, at, end));
      }
      at = lf + 1;
    }
  }

  /**
   * Checks the first byte. Empty lines may precede a request; TLS and other protocols are refused
   * at once.
   */
  private static void checkFirst(byte first) {
    if (first != '\r' && first != '\n' && !isToken(first)) {
      throw RefusedRequest.bad(
          "not HTTP: a request begins with byte 0x%02x".formatted(first & 0xff));
    }
  }

  private void requestLine(String line) {
    int methodEnd = line.indexOf(' ');
    int targetEnd = line.indexOf(' ', methodEnd + 1);
    if (methodEnd <= 0 || targetEnd <= methodEnd + 1 || line.indexOf(' ', targetEnd + 1) >= 0) {
      throw RefusedRequest.bad(
          "not HTTP: want a method, a target and a version, with one space between them: "
              + shown(line));
    }
    for (int i = 0; i < methodEnd; i++) {
      if (!isToken((byte) line.charAt(i))) {
        throw RefusedRequest.bad("not HTTP: the method of " + shown(line));
      }
    }
    for (int i = methodEnd + 1; i < targetEnd; i++) {
      if (line.charAt(i) <= ' ' || line.charAt(i) > '~') {
        throw RefusedRequest.bad("the target is not percent-encoded: " + shown(line));
      }
    }
    version(line.substring(targetEnd + 1));
  }

  private void version(String version) {
    switch (version) {
      case "HTTP/1.1" -> {}
      case "HTTP/1.0" -> isVersion10 = true;
      default ->
          throw version.matches("HTTP/\\d(\\.\\d)?")
              ? new RefusedRequest(505, version + " is not spoken here, want HTTP/1.1")
              : RefusedRequest.bad(
                  "not HTTP: the version is " + shown(version) + ", want HTTP/1.1");
    }
  }

  private void header(ByteBuf in, int start, int end) {
    if (++headers > HEADERS_MAX) {
      throw new RefusedRequest(
          431, "the request has too many headers, want at most " + HEADERS_MAX);
    }
    int colon = start;
    while (colon < end && isToken(in.getByte(colon))) {
      colon++;
    }
    if (colon == start || colon == end || in.getByte(colon) != ':') {
      throw RefusedRequest.bad("not HTTP: the name of a header: " + shown(text(in, start, end)));
    }
    for (int i = colon + 1; i < end; i++) {
      byte c = in.getByte(i);
      if (c >= 0 && c < ' ' && c != '\t' || c == 0x7f) {
        throw RefusedRequest.bad(
            "not HTTP: the value of a header has byte 0x%02x: %s"
                .formatted(c, shown(text(in, start, colon))));
      }
    }
    switch (colon - start) {
      case 4, 9, 13, 14, 17, 18, 19 ->
          // Other control characters are refused above, so trim() removes only spaces and tabs.
          counting(
              text(in, start, colon).toLowerCase(Locale.ROOT), text(in, colon + 1, end).trim());
      default -> {} // no header that matters has this length
    }
  }

  private void counting(String name, String value) {
    if (CREDENTIALS.contains(name)) {
      once(name);
    }
    switch (name) {
      case HOST -> once(name);
      case LENGTH -> {
        once(name);
        if (!BYTES.matcher(value).matches()) {
          throw RefusedRequest.bad("Content-Length: " + shown(value) + ", want a number of bytes");
        }
        bodyBytes = Long.parseLong(value);
      }
      case ENCODING -> {
        once(name);
        if (!value.equalsIgnoreCase("chunked")) {
          throw RefusedRequest.bad("Transfer-Encoding: " + shown(value) + ", want chunked alone");
        }
      }
      // The decoder reads eight bytes after these headers as a body without Content-Length.
      case "sec-websocket-key1", "sec-websocket-key2" ->
          throw RefusedRequest.bad(name + ": this draft of WebSocket is not spoken here");
      default -> {}
    }
  }

  private void once(String name) {
    if (!given.add(name)) {
      throw RefusedRequest.bad(name + ": given more than once, want it once");
    }
  }

  private void checkWhole() {
    if (isChunked() && (given.contains(LENGTH) || isVersion10)) {
      throw RefusedRequest.bad(
          isVersion10
              ? "Transfer-Encoding: not in HTTP/1.0, want Content-Length"
              : "Transfer-Encoding and Content-Length: want one of them");
    }
    if (!given.contains(HOST) && !isVersion10) {
      throw RefusedRequest.bad("Host: missing");
    }
    whole = true;
  }

  private static boolean isToken(byte c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c > ' ' && "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  private static String text(ByteBuf in, int start, int end) {
    return in.toString(start, end - start, StandardCharsets.ISO_8859_1);
  }

  private static String shown(String text) {
    return '"' + (text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "..." : text) + '"';
  }
}
