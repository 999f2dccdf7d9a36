package hourglass.config.terminal;

import hourglass.config.gate.tls.TlsException;
import hourglass.config.gate.tls.Trust;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The server that is asked, and the key for it. */
final class ServerOptions {
  private static final String DEFAULT = "http://127.0.0.1:8080";
  private static final Pattern KEY = Pattern.compile("[!-~]+");
  private static final int KEY_BYTES_MAX = 4096;

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "The server. Default: HOURGLASS_TARGET, or " + DEFAULT + ".")
  private @Nullable String target;

  @Option(
      names = "--key-file",
      description = "A file with the key, which is sent to the server. Default: HOURGLASS_KEY.")
  private @Nullable Path keyFile;

  @Option(
      names = "--ca-file",
      description =
          "A file in PEM with the server's certificate or its authority's, to be trusted alone."
              + " Default: HOURGLASS_CA_FILE, or what Java trusts.")
  private @Nullable Path caFile;

  Server server(Terminal terminal, CommandSpec command) {
    return new Server(url(terminal, command), key(terminal, command), sockets(terminal, command));
  }

  /** Null: the usual ones. */
  private @Nullable SSLSocketFactory sockets(Terminal terminal, CommandSpec command) {
    String variable = terminal.environment("HOURGLASS_CA_FILE");
    if (caFile == null && variable.isEmpty()) {
      return null;
    }
    try {
      return Trust.sockets(caFile == null ? Path.of(variable) : caFile);
    } catch (TlsException e) {
      String name = caFile == null ? "HOURGLASS_CA_FILE" : "--ca-file";
      throw new ParameterException(command.commandLine(), name + ": " + e.getMessage(), e);
    }
  }

  private String url(Terminal terminal, CommandSpec command) {
    String variable = terminal.environment("HOURGLASS_TARGET");
    String text = target != null ? target : variable.isEmpty() ? DEFAULT : variable;
    try {
      URL url = new URL(text);
      boolean isHttp = url.getProtocol().equals("http") || url.getProtocol().equals("https");
      if (isHttp && !url.getHost().isEmpty() && url.getQuery() == null && url.getRef() == null) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
      }
    } catch (MalformedURLException e) {
      // as for another URL that is none of a server
    }
    String name = target != null ? "--target" : "HOURGLASS_TARGET";
    throw new ParameterException(
        command.commandLine(),
        "%s: %s, want http://HOST:PORT or https://HOST:PORT".formatted(name, text));
  }

  /** Null: none. It stays out of all messages. */
  private @Nullable String key(Terminal terminal, CommandSpec command) {
    String key = terminal.environment("HOURGLASS_KEY");
    if (keyFile != null) {
      try {
        boolean isSmall = Files.size(keyFile) <= KEY_BYTES_MAX;
        key = isSmall ? new String(Files.readAllBytes(keyFile), StandardCharsets.UTF_8) : "";
      } catch (IOException e) {
        throw new ParameterException(
            command.commandLine(), "--key-file: %s cannot be read".formatted(keyFile), e);
      }
    } else if (key.isEmpty()) {
      return null;
    }
    if (!KEY.matcher(key.strip()).matches()) {
      String name = keyFile == null ? "HOURGLASS_KEY" : "--key-file: " + keyFile;
      throw new ParameterException(command.commandLine(), name + ": no key, want one line with it");
    }
    return key.strip();
  }
}
