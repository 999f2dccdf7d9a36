package hourglass.config.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.terminal.TailMessages.Message;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailMessagesTest {
  private static TailMessages of(String stream) {
    return new TailMessages(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Message> all(TailMessages messages) throws Exception {
    List<Message> all = new ArrayList<>();
    for (Message next = messages.next(); next != null; next = messages.next()) {
      all.add(next);
    }
    return all;
  }

  @Test
  void messagesHaveAKindAndData() throws Exception {
    TailMessages messages =
        of("retry: 20\nid: p0\n\nid: p1\ndata: {\"a\":1}\n\nid: p2\nevent: late\ndata:{}\n\n");
    assertThat(all(messages))
        .containsExactly(new Message("", "{\"a\":1}"), new Message("late", "{}"));
    assertThat(messages.position()).isEqualTo("p2");
    assertThat(messages.retryMillis()).isEqualTo(20);
  }

  @Test
  void messagesWithoutDataMoveThePosition() throws Exception {
    TailMessages messages = of("id: p1\ndata: x\n\n: nothing new\nid: p2\n\n");
    assertThat(all(messages)).hasSize(1);
    assertThat(messages.position()).isEqualTo("p2");
  }

  /** The event would be lost if the position moved. */
  @Test
  void aTruncatedMessageIsIgnored() throws Exception {
    TailMessages messages = of("id: p1\ndata: x\n\nid: p2\ndata: y\n");
    assertThat(all(messages)).containsExactly(new Message("", "x"));
    assertThat(messages.position()).isEqualTo("p1");
  }
}
