package hourglass.config.gate.keys;

import hourglass.access.DaemonThreads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys in force. The file of keys is read again when it changes. If the new file is wrong, the
 * last good one stays in force. Thread-safe.
 */
public final class KeyRing implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(KeyRing.class);

  /**
   * The time between two reads of the file, so that changes apply within five seconds. Reading it
   * costs less than a request.
   */
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final KeysFile file;
  private final MeterRegistry meters;
  private final Listener listener;
  private final ScheduledExecutorService reader =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-keys"));
  private volatile Keys keys;
  private volatile boolean isStale;

  /**
   * The text of the last file that was used. This and the next two fields are used only by the
   * thread that reads the file.
   */
  private String text;

  private String problem = "";

  private boolean hasWarned;

  /** Receives the changes of the keys. */
  @FunctionalInterface
  public interface Listener {
    void changed(Keys before, Keys after);

    /** Called if the file is wrong, so that the keys before stay in force. */
    default void refused(String why) {}
  }

  /**
   * Reads the file, and keeps reading it until this is closed.
   *
   * @param listener is called on the thread that reads
   * @throws KeysFileException if the file cannot be used
   */
  public static KeyRing open(KeysFile file, MeterRegistry meters, Listener listener) {
    KeyRing ring = new KeyRing(file, meters, listener);
    long millis = INTERVAL.toMillis();
    var unused =
        ring.reader.scheduleWithFixedDelay(ring::refresh, millis, millis, TimeUnit.MILLISECONDS);
    return ring;
  }

  private KeyRing(KeysFile file, MeterRegistry meters, Listener listener) {
    this.file = file;
    this.meters = meters;
    this.listener = listener;
    text = file.text();
    keys = KeysText.read(text);
    warnIfOthersMayWrite();
    Gauge.builder("hourglass.keys", () -> keys.all().size())
        .description("Keys in force, expired ones included")
        .register(meters);
    Gauge.builder("hourglass.keys.stale", () -> isStale ? 1 : 0)
        .description("1 while the file of keys is wrong, and the last good one in force")
        .register(meters);
  }

  public Keys keys() {
    return keys;
  }

  /** Reads the file and replaces the keys if it has changed. Called by one thread at a time. */
  void refresh() {
    try {
      String now = file.text();
      if (now.equals(text) && !isStale) {
        return;
      }
      Keys next = KeysText.read(now);
      Keys before = keys;
      keys = next;
      isStale = false;
      problem = "";
      if (!now.equals(text)) {
        text = now;
        warnIfOthersMayWrite();
        countReload("taken");
        logger.info("{} has changed: {} keys in force", file.path(), next.all().size());
        listener.changed(before, next);
      }
    } catch (KeysFileException e) {
      refused(String.valueOf(e.getMessage()));
    } catch (Throwable e) { // else the task would not run again, and no key could be revoked
      failed(e);
    }
  }

  private void failed(Throwable e) {
    isStale = true;
    String what = e.getClass().getName();
    if (!what.equals(problem)) {
      problem = what;
      logger.error("{} cannot be taken; the keys of before stay in force", file.path(), e);
    }
  }

  /** Warns if others may write the file. Warns only once, because its owner may intend it. */
  private void warnIfOthersMayWrite() {
    if (!hasWarned && file.isForOthersToWrite()) {
      hasWarned = true;
      logger.warn(
          "{}: its group or others may write it, and so give themselves keys; want chmod go-w",
          file.path());
    }
  }

  private void refused(String why) {
    isStale = true;
    if (!why.equals(problem)) {
      problem = why;
      countReload("refused");
      logger.warn("{}: {}; the keys of before stay in force", file.path(), why);
      listener.refused(why);
    }
  }

  @Override
  public void close() {
    reader.shutdownNow();
  }

  private void countReload(String outcome) {
    Counter.builder("hourglass.keys.reloads")
        .description("Changes of the file of keys, by outcome; refused ones left the old in force")
        .tag("outcome", outcome)
        .register(meters)
        .increment();
  }
}
