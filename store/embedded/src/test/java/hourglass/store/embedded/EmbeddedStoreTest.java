package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.ErasureContract;
import hourglass.store.testkit.TestClock;
import hourglass.store.testkit.WideColumnStoreContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

/** The embedded engine keeps the contract, with its columns in memory, in pages and in both. */
class EmbeddedStoreTest extends WideColumnStoreContract implements ErasureContract {
  private final TestClock clock = new TestClock();

  @TempDir Path dir;

  @Override
  protected WideColumnStore open() {
    EmbeddedOptions options =
        EmbeddedOptions.builder(dir.resolve("data"))
            .reserveBytes(0L)
            .sealAfter(Duration.ZERO)
            .build();
    return EmbeddedStore.open(options, clock, new SimpleMeterRegistry());
  }

  @Override
  protected void seal(WideColumnStore opened) {
    clock.set(Hour.LAST.end().plus(Duration.ofDays(1)));
    ((EmbeddedStore) opened).maintenance().seal().toCompletableFuture().join();
    clock.set(TestClock.START);
  }
}
