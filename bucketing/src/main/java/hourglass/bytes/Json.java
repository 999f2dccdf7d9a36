package hourglass.bytes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Makes parsers and generators of Jackson, where the scanners of the hot paths are not needed.
 * Thread-safe.
 *
 * <p>The parsers accept all that is accepted as an event: numbers, names and texts of any length,
 * and 65,536 levels. They keep no names, since the senders of events choose them.
 */
public final class Json {
  private static final int LEVELS_MAX = 1 << 16;

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNestingDepth(LEVELS_MAX)
                  .build())
          .build();

  private Json() {}

  public static JsonParser parser(byte[] bytes, int from, int length) throws IOException {
    return FACTORY.createParser(bytes, from, length);
  }

  public static JsonParser parser(byte[] json) throws IOException {
    return FACTORY.createParser(json);
  }

  public static JsonParser parser(String json) throws IOException {
    return FACTORY.createParser(json);
  }

  public static JsonParser parser(InputStream json) throws IOException {
    return FACTORY.createParser(json);
  }

  /** Returns a generator that writes UTF-8. */
  public static JsonGenerator generator(OutputStream out) throws IOException {
    return FACTORY.createGenerator(out);
  }

  /** Returns a text as JSON, in quotes. */
  public static String quoted(String text) {
    return '"' + escaped(text) + '"';
  }

  /** Returns a text as JSON contains it between the quotes. */
  public static String escaped(String text) {
    return new String(JsonStringEncoder.getInstance().quoteAsString(text));
  }
}
