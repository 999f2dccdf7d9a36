package hourglass.load.command;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** JSON as figures by name. A missing figure is empty. */
public final class Figures {
  private static final Figures NONE = new Figures(Map.of());

  private final Map<?, ?> values;

  private Figures(Map<?, ?> values) {
    this.values = values;
  }

  public static Figures of(Map<String, @Nullable Object> values) {
    return new Figures(values);
  }

  /** Throws {@link DecodeException} if it is no JSON object. */
  public static Figures parse(byte[] json) {
    return new Figures(new JsonObject(Buffer.buffer(json)).getMap());
  }

  public Map<?, ?> values() {
    return values;
  }

  public Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    values.keySet().forEach(name -> names.add(String.valueOf(name)));
    return names;
  }

  public Figures object(String name) {
    return values.get(name) instanceof Map<?, ?> map ? new Figures(map) : NONE;
  }

  public List<Figures> objects(String name) {
    List<Figures> objects = new ArrayList<>();
    for (Object each : list(values.get(name))) {
      if (each instanceof Map<?, ?> map) {
        objects.add(new Figures(map));
      }
    }
    return objects;
  }

  /** Not a number if absent. */
  public double number(String name) {
    return number(values.get(name));
  }

  public String text(String name) {
    Object value = values.get(name);
    return value == null ? "" : value instanceof Double d ? JsonReport.number(d) : value.toString();
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }
}
