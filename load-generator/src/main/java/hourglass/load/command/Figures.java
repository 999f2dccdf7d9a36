package hourglass.load.command;

import hourglass.command.FigureText;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The figures of a report as JSON, read by name. A missing figure counts as empty. */
public record Figures(JsonObject json) {
  /** Parses figures. Throws {@link DecodeException} if the bytes are not a JSON object. */
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

  /**
   * Returns the numbers of an array, or an empty list if it is absent. Elements that are not
   * numbers are left out.
   */
  public List<Double> numbers(String name) {
    JsonArray all = json.getValue(name) instanceof JsonArray array ? array : new JsonArray();
    return all.stream()
        .filter(Number.class::isInstance)
        .map(each -> ((Number) each).doubleValue())
        .toList();
  }

  /** Returns a number, or NaN if it is absent. */
  public double number(String name) {
    return json.getValue(name) instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  /** Returns a count, or {@code ifAbsent} if it is absent. */
  public long count(String name, long ifAbsent) {
    double count = number(name);
    return Double.isNaN(count) ? ifAbsent : (long) count;
  }

  public String text(String name) {
    Object value = json.getValue(name);
    return value == null
        ? ""
        : value instanceof Double d ? FigureText.decimal(d) : value.toString();
  }

  public static String encode(JsonObject figures) {
    return Json.encodePrettily(encodable(figures));
  }

  /**
   * Returns a value that JSON can express: NaN and infinity become null, and other types become
   * texts.
   */
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
}
