package hourglass.ingest.protocols.splunk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import hourglass.bucketing.Ticks;
import hourglass.ingest.Verdicts;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.ConvertedEvents;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.store.text.Rfc3339;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Objects one after the other, white space between them or not; each is stored as it came. */
final class EventRequest implements PushProtocol.Request {
  /** Long numbers are stored as they came, so they need no limit of their own. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNumberLength(Integer.MAX_VALUE).build())
          .build();

  private static final BigDecimal TICKS_PER_SECOND = BigDecimal.valueOf(Ticks.PER_SECOND);

  /** Longer numbers are no times, and cost too much to read. */
  private static final int TIME_CHARS_MAX = 64;

  /** Seconds beyond it are no time of this protocol, and need no exact arithmetic. */
  private static final BigDecimal SECONDS_MAX = BigDecimal.valueOf(1L << 40);

  @Override
  public void convert(Body body, MultiMap headers, ConvertedEvents events) {
    byte[] b = body.bytes();
    try (JsonParser json = JSON.createParser(b, 0, body.length())) {
      while (json.nextToken() != null) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
          throw new PushRefused(400, "event " + events.size() + ": not a JSON object");
        }
        event(json, b, events);
      }
    } catch (JsonProcessingException e) { // also of text that is nested too deeply for its reader
      throw new PushRefused(
          400, "event " + events.size() + ": not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail to be read", e);
    }
  }

  private static void event(JsonParser json, byte[] b, ConvertedEvents events) throws IOException {
    int from = (int) json.currentTokenLocation().getByteOffset();
    String sourcetype = null;
    String source = null;
    long ticks = Rfc3339.NOT_A_TIME;
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      JsonToken value = json.nextToken();
      if (value == JsonToken.VALUE_STRING && name.equals("sourcetype")) {
        sourcetype = json.getText();
      } else if (value == JsonToken.VALUE_STRING && name.equals("source")) {
        source = json.getText();
      } else if (value.isScalarValue() && name.equals("time")) {
        ticks = json.getTextLength() > TIME_CHARS_MAX ? Rfc3339.NOT_A_TIME : ticks(json.getText());
      } else {
        json.skipChildren();
      }
    }
    int to = (int) json.currentLocation().getByteOffset();
    events.addDocument(b, from, to, type(sourcetype, source), ticks, null);
  }

  private static @Nullable String type(@Nullable String sourcetype, @Nullable String source) {
    String type = sourcetype == null || sourcetype.isEmpty() ? source : sourcetype;
    return type == null || type.isEmpty() ? null : type;
  }

  /** Seconds since 1970, with a fraction, as a number or as text. */
  private static long ticks(String seconds) {
    try {
      BigDecimal number = new BigDecimal(seconds.trim());
      return number.signum() <= 0 || number.compareTo(SECONDS_MAX) > 0
          ? Rfc3339.NOT_A_TIME
          : Ticks.UNIX_EPOCH + number.multiply(TICKS_PER_SECOND).longValue();
    } catch (NumberFormatException e) {
      return Rfc3339.NOT_A_TIME;
    }
  }

  @Override
  public void answer(RoutingContext ctx, Verdicts verdicts) {
    if (verdicts.accepted() == 0 && verdicts.rejected() == 0) {
      SplunkCollector.noData(ctx);
    } else if (verdicts.accepted() == 0) {
      Verdicts.ItemError first = verdicts.errors().get(0);
      SplunkCollector.invalid(ctx, first.index(), first.reason());
    } else {
      SplunkCollector.answer(ctx, 200, "Success", 0);
    }
  }
}
