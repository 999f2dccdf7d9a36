package hourglass.config.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Reads the version of this build, which the root pom states. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "hourglass %s (java %s, %s)"
          .formatted(text(), System.getProperty("java.version"), System.getProperty("os.arch"))
    };
  }

  static String text() {
    try (InputStream in = Version.class.getResourceAsStream("/hourglass/build.properties")) {
      Properties build = new Properties();
      build.load(in);
      return build.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
