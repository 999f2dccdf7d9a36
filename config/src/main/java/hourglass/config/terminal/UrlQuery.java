package hourglass.config.terminal;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The parameters of a question, as a URL takes them. */
final class UrlQuery {
  private final StringBuilder text = new StringBuilder();

  /** Null: it is left out. */
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

  /** Empty, or with the question mark. */
  @Override
  public String toString() {
    return text.toString();
  }
}
