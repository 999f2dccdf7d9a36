package hourglass.command;

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the server that a command reads from, or sends files to. */
public final class ServerOptions {
  /** The environment variable that replaces the option. */
  public static final String TARGET = "HOURGLASS_TARGET";

  /** The server of commands that name none. */
  public static final String DEFAULT = "http://127.0.0.1:8080";

  /** The remedy if no server answers. */
  public static final String REMEDY = "--target or " + TARGET + " names the server";

  @Option(
      names = "--target",
      paramLabel = "URL",
      description = "The server. Default: " + TARGET + ", or " + DEFAULT + ".")
  private @Nullable String target;

  /**
   * Returns the URL of the server, without a slash at its end.
   *
   * @throws WrongOptionException if it is not the URL of a server
   */
  public String url(Map<String, String> environment) {
    String variable = environment.getOrDefault(TARGET, "");
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
            .formatted(target != null ? "--target" : TARGET, text));
  }
}
