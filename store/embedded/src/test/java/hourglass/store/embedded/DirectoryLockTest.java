package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.RowKey;
import hourglass.store.Mutation;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of LOCK or of the folder admit no second process and are noticed by the first. */
class DirectoryLockTest {
  private static final RowKey ROW = new RowKey(RandomWrites.HOUR, "click", 0);
  private static final Mutation FIRST = NumberedColumns.columns(ROW, 0, 10);
  private static final Mutation SECOND = NumberedColumns.columns(ROW, 10, 20);

  @TempDir Path temp;
  private Path dir;
  private Path lock;

  @BeforeEach
  void paths() {
    dir = temp.resolve("data");
    lock = dir.resolve("LOCK");
  }

  /** A change of the folder of a running store, and its repair. */
  enum Change {
    LOCK_DELETED {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Files.delete(dir.resolve("LOCK"));
      }
    },
    LOCK_REPLACED {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Files.move(dir.resolve("LOCK"), aside);
        Files.copy(aside, dir.resolve("LOCK"));
      }
    },
    FOLDER_MOVED {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Files.move(dir, aside);
      }

      @Override
      void putRight(Path dir, Path aside) throws IOException {
        Files.move(aside, dir);
      }
    },
    FOLDER_REPLACED {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Files.move(dir, aside);
        Files.createDirectory(dir);
      }

      @Override
      void putRight(Path dir, Path aside) throws IOException {
        assertThat(all(dir)).as("nothing is written into a strange folder").containsExactly(dir);
        Files.delete(dir);
        Files.move(aside, dir);
      }
    },
    FOLDER_REPLACED_BY_A_LINK_TO_A_COPY {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Path copy = aside.resolveSibling("copy");
        copy(dir, copy);
        Files.move(dir, aside);
        Files.createSymbolicLink(dir, copy);
      }

      @Override
      void putRight(Path dir, Path aside) throws IOException {
        Files.delete(dir);
        Files.move(aside, dir);
      }
    },
    LOG_REPLACED_BY_A_COPY {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Files.move(dir.resolve("log"), aside);
        copy(aside, dir.resolve("log"));
      }
    },
    PAGES_MOVED {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Files.move(dir.resolve("pages"), aside);
      }

      @Override
      void putRight(Path dir, Path aside) throws IOException {
        Files.move(aside, dir.resolve("pages"));
      }
    },
    SEGMENT_REPLACED_BY_A_COPY {
      @Override
      void make(Path dir, Path aside) throws IOException {
        Path segment = newestSegment(dir);
        Files.move(segment, aside);
        Files.copy(aside, segment);
      }
    };

    abstract void make(Path dir, Path aside) throws IOException;

    void putRight(Path dir, Path aside) throws IOException {}

    private static Path newestSegment(Path dir) throws IOException {
      return all(dir.resolve("log")).stream()
          .filter(path -> path.toString().endsWith(".log"))
          .max(Path::compareTo)
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFolderNoLongerOwnedRefusesWrites(Change change) throws IOException {
    Path aside = temp.resolve("aside");
    try (EmbeddedStore store = open()) {
      Expectation.await(store.write(List.of(FIRST)));
      change.make(dir, aside);
      assertLost(store, "write", SECOND);
      assertThatThrownBy(() -> Expectation.await(store.check()))
          .hasMessageContaining("start again");
    } catch (UnavailableException e) {
      assertThat(e).hasMessageContaining("closed with a failure"); // it could not tidy up
    }
    change.putRight(dir, aside);
    try (EmbeddedStore store = open()) {
      assertThat(Expectation.await(store.rows(ROW.hour())).get(0).columns()).isIn(10L, 20L);
      Expectation.await(store.write(List.of(SECOND)));
      assertThat(Expectation.await(store.rows(ROW.hour())).get(0).columns()).isEqualTo(20);
    }
  }

  private void assertLost(EmbeddedStore store, String what, Mutation mutation) {
    assertThatThrownBy(() -> Expectation.await(store.write(List.of(mutation))))
        .as(what)
        .hasMessageContainingAll(
            dir.toString(), "no longer the directory", "Stop this process", "start again");
  }

  @Test
  void aRestoredLockIsAcceptedOnlyAfterARestart() throws IOException {
    Path aside = temp.resolve("aside");
    try (EmbeddedStore store = open()) {
      Files.move(lock, aside);
      assertLost(store, "while it is away", FIRST);
      Files.move(aside, lock);
      assertLost(store, "afterwards", FIRST);
    }
    open().close();
  }

  @Test
  void anIdleStoreNoticesALostLock() throws IOException {
    try (EmbeddedStore store = open()) {
      Files.delete(lock);
      await()
          .untilAsserted(
              () -> assertThatThrownBy(store::refuseIfLost).hasMessageContaining("LOCK"));
    }
  }

  @Test
  void aTamperedLockFileAdmitsNoSecondProcess() throws Exception {
    try (AnotherStore first = AnotherStore.start(dir)) {
      assertThat(first.answer()).isEqualTo(AnotherStore.OPENED);
      String holder = Long.toString(first.pid());
      Files.delete(lock);
      assertRefused("deleted", holder);
      assertRefused("deleted, and made by the one that was refused", holder);
      Files.writeString(lock, "");
      assertRefused("emptied", holder);
      Files.delete(lock);
      Files.writeString(lock, "4711");
      assertRefused("made by hand", holder);
      Files.delete(lock);
      Path link = Files.createSymbolicLink(temp.resolve("link"), dir);
      assertThatThrownBy(() -> SampleStore.open(link, new SystemDisk()))
          .hasMessageContaining("in use by process " + holder);
      Files.delete(lock);
      Files.delete(dir.resolve("VERSION"));
      assertThatThrownBy(this::open).hasMessageContaining("VERSION: missing");
      Files.writeString(dir.resolve("VERSION"), "hourglass embedded store 4\n");
      assertRefused("VERSION, too", holder);
      first.kill();
    }
    open().close();
  }

  private void assertRefused(String what, String holder) {
    assertThatThrownBy(this::open)
        .as(what)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContainingAll(dir.toString(), "in use by process " + holder, "stop it");
  }

  private EmbeddedStore open() {
    return SampleStore.open(dir, new SystemDisk());
  }

  private static List<Path> all(Path dir) throws IOException {
    try (Stream<Path> paths = Files.walk(dir)) {
      return paths.toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(path).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                path,
                to.resolve(from.relativize(path).toString()),
                StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
