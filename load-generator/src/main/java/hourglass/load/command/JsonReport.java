package hourglass.load.command;

import io.vertx.core.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, texts and numbers as JSON; NaN and infinity become null. */
public final class JsonReport {
  private JsonReport() {}

  public static void write(@Nullable Path file, Map<String, ?> figures) throws IOException {
    if (file != null) {
      Files.writeString(file, of(figures) + System.lineSeparator());
    }
  }

  public static String of(Map<String, ?> figures) {
    return Json.encodePrettily(encodable(figures));
  }

  private static @Nullable Object encodable(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<Object, @Nullable Object> object = new LinkedHashMap<>();
      map.forEach((name, each) -> object.put(String.valueOf(name), encodable(each)));
      return object;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(JsonReport::encodable).toList();
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      return null;
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : value.toString();
  }

  /** Without an exponent, or zeros at its end. */
  public static String number(double value) {
    return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
  }
}
