package hourglass.config.gate.audit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the audit file on a thread of its own. A full disk does not stop the server. Lines that
 * cannot be written are counted, and once writing works again, the first line is their number.
 * Thread-safe.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(AuditLog.class);

  /**
   * The most lines that wait to be written: some MB, enough for a second in which the disk is busy.
   */
  private static final int QUEUE_MAX = 10_000;

  private static final int BATCH_MAX = 500;
  private static final long LOOK_MILLIS = 1_000;
  private static final long PATIENCE_MILLIS = 2_000;

  private final Path path;
  private final AuditFile file;
  private final InstantSource clock;
  private final Counter written;
  private final Counter lost;
  private final Refusals refusals = new Refusals(System::nanoTime);
  private final BlockingQueue<Line> queue = new ArrayBlockingQueue<>(QUEUE_MAX);

  /** The number of lines lost since the last line that was written. */
  private final AtomicLong lostLines = new AtomicLong();

  private final Thread writer = new Thread(this::run, "hourglass-audit");
  private volatile boolean closed;

  /** Whether the last attempt to write failed. Used by the writer only. */
  private boolean isFailing;

  private record Line(Instant time, AuditEvent event) {}

  /** Opens the audit file. Throws {@link IOException} if it cannot be written. */
  public static AuditLog open(
      Path path, AuditOptions options, InstantSource clock, MeterRegistry meters)
      throws IOException {
    AuditFile file = new AuditFile(path, options.rotateBytes(), options.keep());
    file.open();
    AuditLog log = new AuditLog(path, file, clock, meters);
    log.writer.setDaemon(true);
    log.writer.start();
    return log;
  }

  private AuditLog(Path path, AuditFile file, InstantSource clock, MeterRegistry meters) {
    this.path = path;
    this.file = file;
    this.clock = clock;
    written = counter(meters, "written");
    lost = counter(meters, "lost");
  }

  private static Counter counter(MeterRegistry meters, String outcome) {
    return Counter.builder("hourglass.audit.lines")
        .description("Lines of the audit file; lost: the disk or its queue was full")
        .tag("outcome", outcome)
        .register(meters);
  }

  /** Adds a line. Never waits; if the queue is full, the line is lost. */
  public void add(AuditEvent event) {
    if (!queue.offer(new Line(clock.instant(), event))) {
      lose(1);
    }
  }

  /**
   * Adds a request that was refused. Repeats of it within a minute are only counted.
   *
   * @param client a key or an address
   */
  public void refused(String client, String reason, AuditEvent event) {
    AuditEvent now = refusals.add(client, reason, event);
    if (now != null) {
      add(now);
    }
  }

  private void lose(long lines) {
    lostLines.addAndGet(lines);
    lost.increment((double) lines);
  }

  private void run() {
    boolean isLast;
    do {
      isLast = closed; // read first, so that lines added before are still written
      List<Line> lines = new ArrayList<>();
      Line first = next();
      if (first != null) {
        lines.add(first);
        queue.drainTo(lines, BATCH_MAX);
      }
      List<AuditEvent> counts = isLast ? refusals.rest() : refusals.due();
      counts.forEach(event -> lines.add(new Line(clock.instant(), event)));
      if (!lines.isEmpty()) {
        write(lines);
      }
    } while (!isLast || !queue.isEmpty());
    try {
      file.close();
    } catch (IOException e) {
      logger.warn("{} did not close", path, e);
    }
  }

  private @Nullable Line next() {
    try {
      return queue.poll(closed ? 0 : LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      closed = true; // the interrupt means that the thread must end
      return null;
    }
  }

  private void write(List<Line> lines) {
    long missing = lostLines.get();
    try {
      StringBuilder text = new StringBuilder();
      if (missing > 0) {
        text.append(AuditEvent.of("lost").with("count", missing).line(clock.instant()));
      }
      lines.forEach(line -> text.append(line.event.line(line.time)));
      file.append(text.toString().getBytes(StandardCharsets.UTF_8));
      lostLines.addAndGet(-missing);
      written.increment(lines.size());
      if (isFailing) {
        isFailing = false;
        logger.info("{} is written again; {} lines are lost", path, missing);
      }
    } catch (IOException | RuntimeException e) { // loses these lines only; the writer continues
      lose(lines.size());
      if (!isFailing) {
        isFailing = true;
        logger.warn(
            "{} cannot be written: {}; its lines are lost until it can be", path, e.toString());
      }
    }
  }

  /** Writes the lines that were added before, for up to two seconds. */
  @Override
  public void close() throws InterruptedException {
    add(AuditEvent.of("stop")); // before the writer may end
    closed = true;
    writer.join(PATIENCE_MILLIS);
  }
}
