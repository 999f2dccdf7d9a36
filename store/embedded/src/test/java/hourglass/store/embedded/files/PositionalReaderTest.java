package hourglass.store.embedded.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.Chance;
import hourglass.store.embedded.FastTempDir;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PositionalReaderTest {
  private static final int ROUNDS = 200;

  private final Random random = Chance.random("PositionalReaderTest");
  private final byte[] content = new byte[300_000];

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private PositionalReader reader;

  @BeforeEach
  void write() throws IOException {
    random.nextBytes(content);
    Path file = temp.resolve("file");
    Files.write(file, content);
    reader = new PositionalReader(new SystemDisk(), file);
  }

  @AfterEach
  void close() {
    reader.close();
  }

  private void checkSome(Random places) {
    int from = places.nextInt(content.length);
    byte[] read = new byte[places.nextInt(content.length - from + 1)];
    reader.read(from, read, read.length);
    assertThat(read).isEqualTo(Arrays.copyOfRange(content, from, from + read.length));
  }

  @Test
  void readsAnyBytesOfTheFile() {
    for (int round = 0; round < ROUNDS; round++) {
      checkSome(random);
    }
    byte[] all = new byte[content.length];
    reader.read(0, all, all.length);
    assertThat(all).isEqualTo(content);
  }

  @Test
  void aTruncatedFileIsDamaged() {
    assertThatThrownBy(() -> reader.read(content.length - 9, new byte[10], 10))
        .isInstanceOf(CorruptException.class)
        .hasMessage("the file ends before offset 300001");
  }

  /** An interrupt closes the file for all threads. */
  @Test
  void anInterruptedReaderFailsNoOther() throws InterruptedException {
    for (int round = 0; round < ROUNDS; round++) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread interrupted =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  reader.read(0, new byte[content.length], content.length);
                } catch (RuntimeException e) {
                  failure.set(e);
                }
              });
      interrupted.start();
      checkSome(random);
      interrupted.join();
      assertThat(failure.get()).isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void aDeletedFileCanStillBeRead() throws IOException {
    Files.delete(temp.resolve("file"));
    checkSome(random);
  }

  @Test
  void aClosedReaderReadsNothing() {
    checkSome(random);
    reader.close();
    assertThatThrownBy(() -> reader.read(0, new byte[1], 1))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("file: closed");
  }
}
