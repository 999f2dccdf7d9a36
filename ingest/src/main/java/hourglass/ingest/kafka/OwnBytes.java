package hourglass.ingest.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Hands over bytes in an array of their own. Kafka's deserializer of buffers hands over a view into
 * the broker's answer, so that one small record that waits would hold megabytes that nobody counts.
 */
public final class OwnBytes implements Deserializer<ByteBuffer> {
  @Override
  public @Nullable ByteBuffer deserialize(String topic, byte @Nullable [] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }

  @Override
  public @Nullable ByteBuffer deserialize(
      String topic, Headers headers, @Nullable ByteBuffer view) {
    if (view == null) {
      return null;
    }
    byte[] own = new byte[view.remaining()];
    view.get(view.position(), own);
    return ByteBuffer.wrap(own);
  }
}
