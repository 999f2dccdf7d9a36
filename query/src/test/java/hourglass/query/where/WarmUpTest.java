package hourglass.query.where;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Patience;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final Duration PATIENCE = Patience.LONGEST;

  @Test
  void whatIsLoadedWorks() {
    assertThat(WarmUp.run()).isTrue();
  }

  @Test
  void keepsNobodyWaiting() throws InterruptedException {
    Thread thread = WarmUp.start();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(join(thread)).isTrue();
  }

  @Test
  void aFailureEndsItAlone() throws InterruptedException {
    AtomicBoolean escaped = new AtomicBoolean();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> escaped.set(true));
    try {
      Thread thread =
          WarmUp.start(
              () -> {
                throw new NoClassDefFoundError("not on the class path");
              });
      assertThat(join(thread)).isTrue();
      assertThat(escaped).isFalse();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  private static boolean join(Thread thread) throws InterruptedException {
    thread.join(PATIENCE.toMillis());
    return !thread.isAlive();
  }
}
