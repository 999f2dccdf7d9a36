package hourglass.config.server;

import ch.qos.logback.classic.pattern.RootCauseFirstThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import hourglass.access.SecretText;
import hourglass.bucketing.Ticks;
import hourglass.bytes.Json;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Writes an event of the log as a line of JSON: its time, level, logger and message, the values
 * that the code gave with it, and an exception if there is one. Thread-safe once it is started.
 */
public final class JsonLogLayout extends LayoutBase<ILoggingEvent> {
  private final RootCauseFirstThrowableProxyConverter exceptions =
      new RootCauseFirstThrowableProxyConverter();

  @Override
  public void start() {
    exceptions.start();
    super.start();
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    String logger = event.getLoggerName();
    StringJoiner line = new StringJoiner(",", "{", "}\n");
    line.add(member("time", Ticks.text(Ticks.of(event.getInstant()))));
    line.add(member("level", event.getLevel()));
    line.add(member("logger", logger.substring(logger.lastIndexOf('.') + 1)));
    line.add(member("message", event.getFormattedMessage()));
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(pair -> line.add(member(pair.key, pair.value)));
    }
    if (event.getThrowableProxy() != null) {
      line.add(member("exception", exceptions.convert(event)));
    }
    return line.toString();
  }

  private static String member(String name, @Nullable Object value) {
    String text = String.valueOf(value);
    return Json.quoted(name)
        + ":"
        + (value instanceof Number ? text : Json.quoted(SecretText.hide(text)));
  }
}
