package hourglass.http;

import io.vertx.core.json.jackson.JacksonCodec;
import io.vertx.core.spi.JsonFactory;
import io.vertx.core.spi.json.JsonCodec;

/**
 * Lets Vert.x read and write JSON by Jackson's stream. It would take Jackson's object mapper, which
 * the driver of Cassandra brings along, and spend 30 ms of the first answer on that. Nothing maps
 * objects. Found by {@link java.util.ServiceLoader}.
 */
public final class StreamedJson implements JsonFactory {
  @Override
  public JsonCodec codec() {
    return new JacksonCodec();
  }
}
