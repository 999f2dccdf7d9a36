package hourglass.load.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, texts and numbers as JSON; NaN and infinity become null. */
public final class JsonReport {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonReport() {}

  public static void write(@Nullable Path file, Map<String, ?> figures) throws IOException {
    if (file != null) {
      Files.writeString(file, of(figures) + System.lineSeparator());
    }
  }

  public static String of(Map<String, ?> figures) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = JSON.createGenerator(text)) {
      out.setPrettyPrinter(new DefaultPrettyPrinter());
      value(out, figures);
    }
    return text.toString();
  }

  /** Without an exponent, or zeros at its end. */
  public static String number(double value) {
    return new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
  }

  private static void value(JsonGenerator out, @Nullable Object value) throws IOException {
    if (value instanceof Map<?, ?> map) {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeFieldName(String.valueOf(entry.getKey()));
        value(out, entry.getValue());
      }
      out.writeEndObject();
    } else if (value instanceof List<?> list) {
      out.writeStartArray();
      for (Object element : list) {
        value(out, element);
      }
      out.writeEndArray();
    } else {
      scalar(out, value);
    }
  }

  private static void scalar(JsonGenerator out, @Nullable Object value) throws IOException {
    if (value instanceof Double number) {
      if (Double.isFinite(number)) {
        out.writeNumber(number);
      } else {
        out.writeNull();
      }
    } else if (value instanceof Number number) {
      out.writeNumber(number.longValue());
    } else if (value instanceof Boolean bool) {
      out.writeBoolean(bool);
    } else if (value == null) {
      out.writeNull();
    } else {
      out.writeString(value.toString());
    }
  }
}
