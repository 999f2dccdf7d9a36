package hourglass.load.command;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The figures of a report as JSON, read by name. A missing figure is empty. */
public record Figures(JsonObject json) {
  /** Throws {@link DecodeException} if it is no JSON object. */
  public static Figures parse(byte[] json) {
    return new Figures(new JsonObject(Buffer.buffer(json)));
  }

  public Set<String> names() {
    return json.fieldNames();
  }

  public Figures object(String name) {
    return new Figures(json.getValue(name) instanceof JsonObject each ? each : new JsonObject());
  }

  public List<Figures> objects(String name) {
    JsonArray all = json.getValue(name) instanceof JsonArray array ? array : new JsonArray();
    return all.stream()
        .filter(JsonObject.class::isInstance)
        .map(each -> new Figures((JsonObject) each))
        .toList();
  }

  /** Empty if absent; without elements that are no numbers. */
  public List<Double> numbers(String name) {
    JsonArray all = json.getValue(name) instanceof JsonArray array ? array : new JsonArray();
    return all.stream()
        .filter(Number.class::isInstance)
        .map(each -> ((Number) each).doubleValue())
        .toList();
  }

  /** Not a number if absent. */
  public double number(String name) {
    return json.getValue(name) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** A count, or another number where it is absent. */
  public long count(String name, long ifAbsent) {
    double count = number(name);
    return Double.isNaN(count) ? ifAbsent : (long) count;
  }

  public String text(String name) {
    Object value = json.getValue(name);
    return value == null ? "" : value instanceof Double d ? decimal(d) : value.toString();
  }

  public static void write(@Nullable Path file, JsonObject figures) throws IOException {
    if (file != null) {
      Files.writeString(file, encode(figures) + System.lineSeparator());
    }
  }

  public static String encode(JsonObject figures) {
    return Json.encodePrettily(encodable(figures));
  }

  /** NaN and infinity become null, and what JSON does not have a text. */
  private static @Nullable Object encodable(@Nullable Object value) {
    if (value instanceof JsonObject object) {
      return encodable(object.getMap());
    }
    if (value instanceof Map<?, ?> map) {
      JsonObject object = new JsonObject();
      map.forEach((name, each) -> object.put(String.valueOf(name), encodable(each)));
      return object;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Figures::encodable).toList();
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      return null;
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : value.toString();
  }

  /** Without an exponent, or zeros at its end. */
  public static String decimal(double value) {
    return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
  }
}
