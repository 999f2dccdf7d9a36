package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import hourglass.store.RowEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A process that writes is killed with SIGKILL at random moments, again and again on one directory:
 * every column it said was acknowledged is there, once, and none that it never sent. So the start
 * has nothing to warn of.
 */
class KillTest {
  private final Random random = Chance.random("KillTest");
  private final long seed = random.nextInt(1_000_000);
  private final Expectation expectation = new Expectation();

  /** The first batch of each thread that was not acknowledged. */
  private final int[] next = new int[KilledWriter.THREADS];

  @TempDir(factory = FastTempDir.class)
  Path temp;

  private final Logger logs = (Logger) LoggerFactory.getLogger("hourglass");
  private final ListAppender<ILoggingEvent> notes = new ListAppender<>();

  @BeforeEach
  void listen() {
    notes.start();
    logs.addAppender(notes);
    logs.setLevel(Level.WARN);
  }

  @AfterEach
  void listenNoMore() {
    logs.detachAppender(notes);
    logs.setLevel(null);
  }

  @Test
  @Timeout(600)
  void acknowledgedColumnsSurvive() throws Exception {
    Path dir = temp.resolve("data");
    for (int round = 0; round < Chance.rounds(2, 3, 20); round++) {
      int acknowledgements = random.nextInt(4) == 0 ? random.nextInt(10) : random.nextInt(1_500);
      expectWhatWasWritten(writeUntilKilled(dir, acknowledgements));
      try (EmbeddedStore store = KilledWriter.open(dir)) {
        assertThat(notes.list).noneMatch(note -> note.getLevel().isGreaterOrEqual(Level.WARN));
        expectation.checkOpened(store);
        checkRows(store);
        checkNotes(store);
        if (random.nextBoolean()) {
          Expectation.await(store.maintenance().seal());
          expectation.check(store);
        }
      }
    }
    assertThat(expectation.acknowledgedColumns()).isPositive();
  }

  /** Runs a process until it said so many lines; the lines that got through, to the last. */
  private List<String> writeUntilKilled(Path dir, int acknowledgements) throws Exception {
    Process process = start(dir);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII)) {
      while (lines.size() < acknowledgements) {
        String line = reader.readLine();
        assertThat(line).as("a line of a process that is to be killed").isNotNull();
        lines.add(line);
      }
      process.toHandle().destroyForcibly(); // which leaves what it said to be read
      reader.lines().forEach(lines::add);
      assertThat(process.waitFor()).as("exit code of a killed process").isEqualTo(128 + 9);
    } finally {
      process.destroyForcibly();
    }
    return lines;
  }

  private Process start(Path dir) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(KilledWriter.class.getName(), dir.toString(), Long.toString(seed)));
    for (int batch : next) {
      command.add(Integer.toString(batch));
    }
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void expectWhatWasWritten(List<String> lines) {
    for (String line : lines) {
      String[] words = line.split(" ");
      int thread = Integer.parseInt(words[0]);
      assertThat(Integer.parseInt(words[1])).as("batch of %s", thread).isEqualTo(next[thread]);
      List<Mutation> batch = KilledWriter.batch(seed, thread, next[thread]);
      expectation.sent(batch);
      expectation.acknowledged(batch);
      next[thread]++;
    }
    // A thread may have sent one more, and sends it again when it goes on.
    for (int thread = 0; thread < next.length; thread++) {
      expectation.sent(KilledWriter.batch(seed, thread, next[thread]));
    }
  }

  /** All of it came late: with its note, or not at all. */
  private void checkNotes(EmbeddedStore store) {
    List<LateArrivalReader> noted = LateArrivalReader.behind(store, LateArrivalPlace.START, random);
    assertThat(noted).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(noted)).isEqualTo(LateArrivalReader.columnsOf(store));
  }

  /** No row is there that was never written. */
  private void checkRows(EmbeddedStore store) {
    Set<RowKey> rows = new TreeSet<>();
    for (Hour hour : Expectation.await(store.hours(Hour.FIRST, Hour.LAST))) {
      Expectation.await(store.rows(hour)).stream().map(RowEntry::row).forEach(rows::add);
    }
    rows.removeAll(new TreeSet<>(expectation.rows()));
    assertThat(rows).as("rows that were never written").isEmpty();
  }
}
