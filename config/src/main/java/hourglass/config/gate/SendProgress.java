package hourglass.config.gate;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Notices, from look to look, when a client takes bytes that wait for it. Used by an event loop.
 */
final class SendProgress {
  private @Nullable Object sending;
  private long sent;
  private long takenNanos = System.nanoTime();

  /** Whether bytes wait for the client to take some. */
  boolean look(Channel channel, long now) {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    Object current = buffer == null ? null : buffer.current();
    long progress = buffer == null || current == null ? 0 : buffer.currentProgress();
    if (current != sending || progress != sent) {
      sending = current;
      sent = progress;
      takenNanos = now;
    }
    return current != null;
  }

  /** When the client was last seen to take some, as {@link System#nanoTime}. */
  long takenNanos() {
    return takenNanos;
  }
}
