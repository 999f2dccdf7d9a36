package hourglass.config.gate.keys;

import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import java.io.File;
import java.net.URL;

/**
 * Refuses {@code include} in all its forms. The server would read any file or URL that it names,
 * even from the network, and would not notice when that changes.
 */
final class NoIncludes
    implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL, ConfigIncluderClasspath {
  @Override
  public ConfigIncluder withFallback(ConfigIncluder fallback) {
    return this;
  }

  @Override
  public ConfigObject include(ConfigIncludeContext context, String what) {
    throw refusal();
  }

  @Override
  public ConfigObject includeFile(ConfigIncludeContext context, File what) {
    throw refusal();
  }

  @Override
  public ConfigObject includeURL(ConfigIncludeContext context, URL what) {
    throw refusal();
  }

  @Override
  public ConfigObject includeResources(ConfigIncludeContext context, String what) {
    throw refusal();
  }

  private static KeysFileException refusal() {
    return new KeysFileException("include: a file of keys has all its keys itself");
  }
}
