package hourglass.config.terminal;

import hourglass.command.AccessOptions;
import hourglass.command.WrongOptionException;
import hourglass.config.gate.tls.TlsException;
import hourglass.config.gate.tls.Trust;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the server that is asked, and for the key to use. */
final class ServerOptions {
  private static final String DEFAULT = "http://127.0.0.1:8080";

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "The server. Default: HOURGLASS_TARGET, or " + DEFAULT + ".")
  private @Nullable String target;

  @Mixin private AccessOptions access = new AccessOptions();

  Server server(Terminal terminal) {
    return new Server(url(terminal), access.key(terminal.environment()), sockets(terminal));
  }

  /** Returns the sockets that trust the given file, or null for the usual ones. */
  private @Nullable SSLSocketFactory sockets(Terminal terminal) {
    Path file = access.caFile(terminal.environment());
    try {
      return file == null ? null : Trust.sockets(file);
    } catch (TlsException e) {
      throw new WrongOptionException(access.caFileName() + ": " + e.getMessage());
    }
  }

  private String url(Terminal terminal) {
    String variable = terminal.environment("HOURGLASS_TARGET");
    String text = target != null ? target : variable.isEmpty() ? DEFAULT : variable;
    try {
      URL url = new URL(text);
      boolean isHttp = url.getProtocol().equals("http") || url.getProtocol().equals("https");
      if (isHttp && !url.getHost().isEmpty() && url.getQuery() == null && url.getRef() == null) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
      }
    } catch (MalformedURLException e) {
      // The text is not a URL, which is refused below like a URL that cannot be that of a server.
    }
    throw new WrongOptionException(
        "%s: %s, want http://HOST:PORT or https://HOST:PORT"
            .formatted(target != null ? "--target" : "HOURGLASS_TARGET", text));
  }
}
