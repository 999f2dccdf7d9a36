package hourglass.ingest.kafka;

import hourglass.bytes.Utf8;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.CloudEvents;
import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads a record as JSON, or as a CloudEvent by the Kafka binding of CloudEvents 1.0: structured
 * ({@code content-type: application/cloudevents+json}) or binary (headers {@code ce_...}).
 */
final class RecordFormat {
  private static final String CONTENT_TYPE = "content-type";
  private static final String STRUCTURED = "application/cloudevents";
  private static final String ATTRIBUTE = "ce_";
  private static final String SPECVERSION = ATTRIBUTE + "specversion";

  /** The bytes of a large record that the ledger keeps as a sample. */
  private static final int SAMPLE_BYTES = 512;

  private RecordFormat() {}

  /**
   * Adds a record with a value to a batch.
   *
   * @param bytesMax limit of a value; of one that is or was larger, the batch gets a sample
   * @return whether the batch contains the value as it was read
   */
  static boolean add(
      ConsumerRecord<ByteBuffer, ByteBuffer> record, RecordBatch batch, int bytesMax) {
    ByteBuffer value = record.value();
    int whole = wholeBytes(record);
    if (whole > bytesMax) {
      ByteBuffer head = value.slice(value.position(), Math.min(SAMPLE_BYTES, value.remaining()));
      String problem = "event: " + whole + " bytes, at most " + bytesMax;
      batch.addUnreadable(record.offset(), record.timestamp(), head, problem);
      return false;
    }
    try {
      Headers headers = record.headers();
      if (headers.toArray().length == 0) { // the usual case
        batch.add(record.offset(), record.timestamp(), value, false);
        return true;
      }
      String contentType = text(headers, CONTENT_TYPE);
      boolean structured = isStructured(contentType);
      if (!structured && text(headers, SPECVERSION) != null) {
        Body body = CloudEvents.toJson(attributes(headers), contentType, body(value));
        batch.add(record.offset(), record.timestamp(), body.toBuffer(), true);
        return false;
      }
      batch.add(record.offset(), record.timestamp(), value, structured);
    } catch (IllegalArgumentException e) {
      String problem = String.valueOf(e.getMessage());
      batch.addUnreadable(record.offset(), record.timestamp(), value, problem);
    }
    return true;
  }

  /** Returns the length of the value before any cut. */
  static int wholeBytes(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    return Math.max(record.value().remaining(), record.serializedValueSize());
  }

  private static boolean isStructured(@Nullable String contentType) {
    if (contentType == null
        || !contentType.regionMatches(true, 0, STRUCTURED, 0, STRUCTURED.length())) {
      return false;
    }
    if (!CloudEvents.mediaType(contentType).equals(STRUCTURED + "+json")) {
      throw new IllegalArgumentException(
          "content-type: \"" + contentType + "\", want " + STRUCTURED + "+json");
    }
    return true;
  }

  private static Map<String, String> attributes(Headers headers) {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (Header header : headers) {
      if (header.key().startsWith(ATTRIBUTE)) {
        String value = text(header);
        if (value != null) {
          attributes.put(header.key().substring(ATTRIBUTE.length()), value);
        }
      }
    }
    return attributes;
  }

  private static @Nullable String text(Headers headers, String key) {
    Header header = headers.lastHeader(key);
    return header == null ? null : text(header);
  }

  private static @Nullable String text(Header header) {
    byte[] value = header.value();
    if (value == null) {
      return null;
    }
    String text = Utf8.decode(value);
    if (text == null) {
      throw new IllegalArgumentException("header " + header.key() + ": not UTF-8");
    }
    return text;
  }

  private static Body body(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining() + Body.PADDING];
    value.get(value.position(), bytes, 0, value.remaining());
    return Body.ofPadded(bytes, value.remaining());
  }
}
