package hourglass.config.terminal;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The parameters of a question, encoded for a URL. */
final class UrlQuery {
  private final StringBuilder text = new StringBuilder();

  /** Adds a parameter unless its value is null. */
  UrlQuery add(String name, @Nullable Object value) {
    if (value != null) {
      text.append(text.isEmpty() ? '?' : '&').append(name).append('=');
      text.append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
    }
    return this;
  }

  UrlQuery addAll(String name, Iterable<?> values) {
    values.forEach(each -> add(name, each));
    return this;
  }

  /** Returns the parameters after a question mark, or an empty text if there are none. */
  @Override
  public String toString() {
    return text.toString();
  }
}
