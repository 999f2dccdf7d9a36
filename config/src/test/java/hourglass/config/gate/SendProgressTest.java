package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class SendProgressTest {
  /** A channel whose client reads nothing by itself. */
  private final EmbeddedChannel channel =
      new EmbeddedChannel() {
        @Override
        protected void doWrite(ChannelOutboundBuffer in) {}
      };

  private final SendProgress sends = new SendProgress();

  @Test
  void anUnreadMessageIsNoProgress() {
    send();
    assertThat(sends.look(channel, 1)).isTrue();
    assertThat(sends.look(channel, 2)).isTrue();
    assertThat(sends.takenNanos()).isEqualTo(1);
    end();
  }

  /** A pool of a thread of Netty gives the next message the object of the one that was read. */
  @Test
  void theNextMessageIsProgress() throws Exception {
    FutureTask<Void> messages =
        new FutureTask<>(
            () -> {
              for (int now = 1; now < 100; now++) {
                send();
                assertThat(sends.look(channel, now)).isTrue();
                assertThat(sends.takenNanos()).isEqualTo(now);
                channel.unsafe().outboundBuffer().remove();
              }
              end();
              return null;
            });
    new FastThreadLocalThread(messages).start();
    messages.get();
  }

  @Test
  void noMessageIsHeldAfterTheEnd() {
    ByteBuf message = send();
    sends.look(channel, 1);
    channel.unsafe().outboundBuffer().remove();
    end();
    assertThat(message.refCnt()).isZero();
  }

  private ByteBuf send() {
    ByteBuf message = PooledByteBufAllocator.DEFAULT.directBuffer(64).writeZero(64);
    channel.writeAndFlush(message);
    return message;
  }

  private void end() {
    sends.end();
    channel.finishAndReleaseAll();
  }
}
