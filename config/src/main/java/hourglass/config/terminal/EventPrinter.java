package hourglass.config.terminal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import hourglass.bytes.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Prints single events, given as lines of NDJSON, in whole lines. Thread-safe. */
final class EventPrinter {
  private static final int BUFFER_BYTES = 64 << 10;

  private final OutputFormat format;
  private final Colours colours;
  private final EventLine line;
  private final OutputStream out;
  private final ReentrantLock lock = new ReentrantLock();

  /** The whole lines that are not written yet. Guarded by the lock. */
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  EventPrinter(OutputFormat format, Terminal terminal) {
    this.format = format;
    this.colours = terminal.colours();
    this.line = new EventLine(colours);
    this.out = terminal.out();
  }

  void print(String event, boolean isLate) throws IOException {
    lock.lock();
    try {
      String text =
          switch (format) {
            case text -> line.of(event) + (isLate ? colours.note(" (late)") : "");
            case raw -> payload(event);
            default -> event;
          };
      lines.writeBytes((text + '\n').getBytes(StandardCharsets.UTF_8));
      if (lines.size() >= BUFFER_BYTES) {
        write();
      }
    } finally {
      lock.unlock();
    }
  }

  void flush() throws IOException {
    lock.lock();
    try {
      write();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes the remaining lines when the process ends. Returns false if they could not be written,
   * or if a slow reader delayed them for too long.
   */
  boolean flushesWithin(long millis) {
    try {
      if (!lock.tryLock(millis, TimeUnit.MILLISECONDS)) {
        return false;
      }
      try {
        write();
        return true;
      } finally {
        lock.unlock();
      }
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Writes the lines. Lines that cannot be written are dropped. */
  private void write() throws IOException {
    byte[] whole = lines.toByteArray();
    lines.reset();
    if (whole.length > 0) {
      out.write(whole);
      out.flush();
    }
  }

  /** Returns the payload byte for byte. It is the last member of an event. */
  private static String payload(String event) throws IOException {
    try (JsonParser parser = Json.parser(event)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isPayload = parser.currentName().equals("data");
        parser.nextToken();
        if (isPayload) {
          int from = (int) parser.currentTokenLocation().getCharOffset();
          parser.skipChildren();
          return event.substring(from, event.lastIndexOf('}'));
        }
      }
    } catch (JsonProcessingException e) {
      throw new BrokenAnswerException("the answer has a broken event: " + e.getOriginalMessage());
    }
    throw new BrokenAnswerException("the answer has an event without data");
  }
}
