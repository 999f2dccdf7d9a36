package hourglass.config.gate;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Detects, from one call of {@link #look} to the next, whether a client reads bytes that wait for
 * it. Used by one event loop.
 */
final class SendProgress {
  /**
   * The message that was being sent at the last look. It is retained, since a pool would give its
   * object to a later message, which would look as if nothing had been read.
   */
  private @Nullable Object sending;

  private long sent;
  private long takenNanos = System.nanoTime();

  /** Checks the progress. Returns whether bytes wait for the client to read them. */
  boolean look(Channel channel, long now) {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    Object current = buffer == null ? null : buffer.current();
    long progress = buffer == null || current == null ? 0 : buffer.currentProgress();
    if (current != sending || progress != sent) {
      end();
      sending = ReferenceCountUtil.retain(current);
      sent = progress;
      takenNanos = now;
    }
    return current != null;
  }

  /** Releases the message that was seen last. Called when nothing more waits to be sent. */
  void end() {
    ReferenceCountUtil.release(sending);
    sending = null;
    sent = 0;
  }

  /** Returns the {@link System#nanoTime} at which the client was last seen to read bytes. */
  long takenNanos() {
    return takenNanos;
  }
}
