package hourglass.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options for the key that is sent to a server, and for the certificate by which the server is
 * recognized.
 */
public final class AccessOptions {
  /** The environment variables that replace the options. */
  public static final String KEY = "HOURGLASS_KEY";

  public static final String CA_FILE = "HOURGLASS_CA_FILE";

  private static final Pattern SECRET = Pattern.compile("[!-~]+");
  private static final int SECRET_BYTES_MAX = 4096;

  /** The remedy for an answer of 401. */
  public static final String KEY_REMEDY = "--key-file or " + KEY + " holds the key";

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "A file with the key, which is sent to the server. Default: " + KEY + ".")
  private @Nullable Path keyFile;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description =
          "A file in PEM with the server's certificate or its authority's, to be trusted alone."
              + " Default: "
              + CA_FILE
              + ", or what Java trusts.")
  private @Nullable Path caFile;

  /**
   * Returns the key, or null if none is given. No message contains it.
   *
   * @throws WrongOptionException if a key is given but cannot be used
   */
  public @Nullable String key(Map<String, String> environment) {
    String key = environment.getOrDefault(KEY, "");
    if (keyFile != null) {
      try {
        boolean isSmall = Files.size(keyFile) <= SECRET_BYTES_MAX;
        key = isSmall ? new String(Files.readAllBytes(keyFile), StandardCharsets.UTF_8) : "";
      } catch (IOException e) {
        throw new WrongOptionException("--key-file: %s cannot be read".formatted(keyFile));
      }
    } else if (key.isBlank()) {
      return null;
    }
    if (!SECRET.matcher(key.strip()).matches()) {
      String name = keyFile == null ? KEY : "--key-file: " + keyFile;
      throw new WrongOptionException(name + ": no key, want one line with it");
    }
    return key.strip();
  }

  /** Returns the file of the certificate, or null to trust what Java trusts. */
  public @Nullable Path caFile(Map<String, String> environment) {
    String variable = environment.getOrDefault(CA_FILE, "");
    return caFile != null || variable.isEmpty() ? caFile : Path.of(variable);
  }

  /**
   * Returns the name of the option or variable that gave the file of the certificate, for messages.
   */
  public String caFileName() {
    return caFile == null ? CA_FILE : "--ca-file";
  }
}
