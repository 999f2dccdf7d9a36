package hourglass.config.terminal;

import hourglass.command.AccessOptions;
import hourglass.command.SafeText;
import hourglass.command.ServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A server that answers questions.
 *
 * <p>It does not use java.net.http, which does not show trailers, although they say whether an
 * answer is complete, and which creates a context of TLS and a thread for each client.
 *
 * @param url without a slash at its end
 * @param key null if none is sent
 * @param sockets for https; null for the usual ones
 */
record Server(String url, @Nullable String key, @Nullable SSLSocketFactory sockets) {
  private static final int CONNECT_MILLIS = 10_000;

  /**
   * The longest time without a byte of an answer. It exceeds ten minutes, after which a server ends
   * a query by default.
   */
  static final int ANSWER_MILLIS = 12 * 60_000;

  private static final int PROBLEM_BYTES_MAX = 64 << 10;
  private static final int EXCERPT_CHARS = 300;

  /** Thrown if no server answered, or the server cannot answer now. */
  static final class Away extends IOException {
    private static final long serialVersionUID = 1L;

    Away(String message) {
      super(message);
    }
  }

  /** Asks for a deletion, as {@link #get} asks a question. */
  Answer delete(String path, UrlQuery parameters) throws Away, AskException {
    return send("DELETE", path + parameters, null, null, ANSWER_MILLIS);
  }

  /**
   * Sends a question, and returns once the answer has begun.
   *
   * @param position null, or the id of the last message of a tail
   * @param silenceMillis the longest time without a byte
   * @throws Away if asking again may help
   * @throws AskException if asking again does not help
   */
  Answer get(String path, UrlQuery parameters, @Nullable String position, int silenceMillis)
      throws Away, AskException {
    return send("GET", path + parameters, position, null, silenceMillis);
  }

  /**
   * Sends a JSON object, and returns once the answer has begun.
   *
   * @throws Away if asking again may help
   * @throws AskException if asking again does not help
   */
  Answer post(String path, String json) throws Away, AskException {
    return send("POST", path, null, json, ANSWER_MILLIS);
  }

  private Answer send(
      String method,
      String path,
      @Nullable String position,
      @Nullable String body,
      int silenceMillis)
      throws Away, AskException {
    try {
      HttpURLConnection connection = (HttpURLConnection) new URL(url + path).openConnection();
      connection.setRequestMethod(method);
      if (sockets != null && connection instanceof HttpsURLConnection secure) {
        secure.setSSLSocketFactory(sockets);
      }
      connection.setInstanceFollowRedirects(false); // another server must not get the key
      connection.setConnectTimeout(CONNECT_MILLIS);
      connection.setReadTimeout(silenceMillis);
      connection.setRequestProperty("Accept", "*/*");
      if (key != null) {
        connection.setRequestProperty("Authorization", "Bearer " + key);
      }
      if (position != null) {
        connection.setRequestProperty("Last-Event-ID", position);
      }
      if (body != null) {
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      int status = connection.getResponseCode();
      if (status == HttpURLConnection.HTTP_OK || status == HttpURLConnection.HTTP_ACCEPTED) {
        return new Answer(connection);
      }
      boolean isError = status >= HttpURLConnection.HTTP_BAD_REQUEST;
      String message =
          message(status, isError ? connection.getErrorStream() : connection.getInputStream());
      if (status == 429 || status >= 502 && status <= 504) { // a proxy sends 502 and 504
        throw new Away(message);
      }
      throw new AskException(message);
    } catch (Away e) {
      throw e;
    } catch (UnknownHostException e) {
      throw new Away(url + ": no such host; " + ServerOptions.REMEDY);
    } catch (IOException e) {
      if (isUntrusted(e)) {
        throw new AskException(
            "%s: not trusted (%s); --ca-file or HOURGLASS_CA_FILE names the certificate to trust"
                .formatted(url, SafeText.line(String.valueOf(e.getMessage()))));
      }
      throw new Away(
          "%s: no answer (%s); %s"
              .formatted(url, SafeText.line(String.valueOf(e.getMessage())), ServerOptions.REMEDY));
    }
  }

  private static boolean isUntrusted(IOException failure) {
    return failure instanceof SSLException && failure.getCause() instanceof CertificateException;
  }

  private static String message(int status, @Nullable InputStream body) throws IOException {
    byte[] bytes = body == null ? new byte[0] : body.readNBytes(PROBLEM_BYTES_MAX);
    String text = new String(bytes, StandardCharsets.UTF_8).strip();
    String detail = JsonTree.orEmpty(text).text("detail"); // from a problem (RFC 9457)
    if (detail.isEmpty()) {
      detail = text.length() > EXCERPT_CHARS ? text.substring(0, EXCERPT_CHARS) : text;
      detail = "status " + status + (detail.isEmpty() ? "" : ": " + detail);
    }
    String remedy = status == 401 ? "; " + AccessOptions.KEY_REMEDY : "";
    return SafeText.line(detail) + remedy;
  }
}
