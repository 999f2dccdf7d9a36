package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CorruptException;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.frames.FrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Folders and files that this program did not write, or that another has open, are refused and left
 * unchanged.
 */
class VersionTest {
  private static final Hour HOUR = RandomWrites.HOUR;
  private static final RowKey ROW = new RowKey(HOUR, "click", 0);

  @TempDir Path dir;
  @TempDir Path elsewhere;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hourglass embedded store 1\n",
        "hourglass embedded store 3\n",
        "hourglass embedded store 6\n",
        "hourglass embedded store 4",
        "hourglass embedded store 5",
        "hourglass embedded store 40\n",
        "",
        "\0\0\0\0",
        "MANIFEST-000001\n"
      })
  void anotherVersionIsRefusedByName(String version) throws IOException {
    writeSome();
    Files.writeString(dir.resolve("VERSION"), version);
    assertRefusedUntouched(
            "VERSION",
            "hourglass embedded store 4",
            "hourglass embedded store 5",
            "use the program that wrote it",
            "hourglass import")
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("\"" + version.strip() + "\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void anotherVersionOfALogSegmentIsRefusedByName(int version) throws IOException {
    writeSome();
    Path segment = new StoreFiles(dir).segment(2);
    setPreambleVersion(segment, version);
    assertRefused(
        segment + "", "format version " + version, "reads 3", "use the program that wrote it");
  }

  @Test
  void anotherVersionOfTheCatalogueIsRefusedByName() throws IOException {
    writeSome();
    Path catalogue = new StoreFiles(dir).catalogue();
    setPreambleVersion(catalogue, 1);
    assertRefused(catalogue + "", "format version 1", "reads 2", "use the program that wrote it");
  }

  /** The version of a page file is read where CATALOGUE does not say what it contains. */
  @Test
  void anotherVersionOfAPageFileIsRefusedByName() throws IOException {
    writeSome();
    Files.delete(new StoreFiles(dir).catalogue());
    Path pages = new StoreFiles(dir).pages(1);
    byte[] bytes = Files.readAllBytes(pages);
    ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(4, 7);
    head.putInt(16, FrameHeader.crc(head, 0, 16));
    Files.write(pages, bytes);
    assertThatThrownBy(() -> SampleStore.open(dir, new SystemDisk(), List.of("CATALOGUE")).close())
        .isInstanceOf(CorruptException.class)
        .hasMessageContainingAll(
            pages.toString(), "format version 7", "reads 1", "use the program that wrote it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"notes.txt", "CURRENT", ".hidden", "data/file"})
  void aForeignDirectoryIsRefusedUntouched(String file) throws IOException {
    Files.createDirectories(dir.resolve(file).getParent());
    Files.writeString(dir.resolve(file), "of others");
    Files.writeString(dir.resolve("LOCK"), "of others, too");
    assertRefusedUntouched(dir.toString(), "not a data directory", "choose an empty one")
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(Path.of(file).getName(0).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "pages", "CATALOGUE", "log/segments"})
  void aMissingFileOrFolderIsRefusedByName(String name) throws IOException {
    writeSome();
    Path gone = dir.resolve(name);
    Files.move(gone, elsewhere.resolve("gone"));
    assertRefused(gone.toString(), "missing", "restore it");
  }

  @Test
  void aDirectoryWithoutItsVersionIsRefusedUntouched() throws IOException {
    writeSome();
    Files.delete(dir.resolve("VERSION"));
    assertRefusedUntouched(dir.resolve("VERSION").toString(), "missing", "restore it")
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void erasuresWithoutAVersionAreRefusedUntouched() throws IOException {
    Files.createDirectories(new StoreFiles(dir).erasures());
    Files.createFile(new StoreFiles(dir).erasure(1));
    assertRefusedUntouched(dir.resolve("VERSION").toString(), "missing", "restore it")
        .isInstanceOf(CorruptException.class);
  }

  @Test
  void aSecondProcessIsRefusedUntilTheFirstIsKilled() throws Exception {
    try (AnotherStore first = AnotherStore.start(dir)) {
      assertThat(first.answer()).isEqualTo(AnotherStore.OPENED);
      assertRefused(dir.toRealPath().toString(), "in use by process " + first.pid(), "stop it")
          .isInstanceOf(UnavailableException.class);
      try (AnotherStore second = AnotherStore.start(dir)) {
        assertThat(second.answer())
            .contains(dir.toString(), "in use by process " + first.pid(), "stop it");
      }
      first.kill();
    }
    try (EmbeddedStore store = open()) {
      assertThat(Expectation.await(store.hours(Hour.FIRST, Hour.LAST))).containsExactly(HOUR);
    }
  }

  @Test
  void aSecondStoreOfTheSameProcessIsRefused() {
    try (EmbeddedStore first = open()) {
      assertRefused(dir.toString(), "in use by process " + ProcessHandle.current().pid());
      Expectation.await(first.check());
    }
    open().close();
  }

  private EmbeddedStore open() {
    return SampleStore.open(dir, new SystemDisk());
  }

  /** Leaves a page file and a log segment. */
  private void writeSome() {
    try (EmbeddedStore store = open()) {
      Expectation.await(store.write(List.of(new Mutation(ROW, column(0)))));
    }
  }

  private static int count(EmbeddedStore store) {
    return Expectation.read(store, ROW, Order.ASCENDING).stream().mapToInt(Columns::size).sum();
  }

  private static Columns column(int tick) {
    ColumnsBuilder columns = new ColumnsBuilder(1, 8);
    TimeUuid name = TimeUuid.first(HOUR.startTicks() + tick);
    columns.add(name.ticks(), name.lsb(), "{}".getBytes(StandardCharsets.UTF_8), 0, 2);
    return columns.build();
  }

  /** Writes the version as another program would have: with the right checksum. */
  private static void setPreambleVersion(Path file, int version) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer preamble = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    preamble.putInt(4, version);
    preamble.putInt(32, FrameHeader.crc(preamble, 0, 32));
    Files.write(file, bytes);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(String... words) {
    return assertThatThrownBy(() -> open().close()).hasMessageContainingAll(words);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefusedUntouched(String... words)
      throws IOException {
    Map<String, String> before = everything();
    var refused = assertRefused(words);
    assertThat(everything()).isEqualTo(before);
    return refused;
  }

  /** Every path, with its time and its content. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(dir)) {
      for (Path path : paths.toList()) {
        String content = Files.isRegularFile(path) ? digest(path) : "";
        all.put(path.toString(), Files.getLastModifiedTime(path) + " " + content);
      }
    }
    return all;
  }

  private static String digest(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(Files.readAllBytes(file));
    return Files.size(file) + " " + crc.getValue();
  }
}
