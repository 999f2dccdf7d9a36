package hourglass.load.importing;

import static java.nio.charset.StandardCharsets.UTF_8;

import hourglass.bucketing.Identity;
import hourglass.bytes.LineBreaks;
import hourglass.bytes.Utf8;
import hourglass.load.command.LoadFailure;
import io.vertx.core.buffer.Buffer;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A file, a pipe or the standard input, whose beginning may be read before all of it. A file is
 * opened twice for that; a pipe, such as that of {@code <(zcat old.gz)}, can be read only once. For
 * one thread.
 */
final class Input {
  /** The name of the standard input. */
  static final String STDIN = "-";

  /** The size of a beginning, some thousand events. It may be larger by one piece of the input. */
  private static final int BEGINNING_BYTES = 256 << 10;

  /** The pause of a pipe's writer after which the bytes so far are sent. */
  private static final long IDLE_MILLIS = 1_000;

  private final String name;
  private final AtomicLong readBytes = new AtomicLong();
  private final boolean isPipe;
  private final InputStream stdin;
  private final boolean isMixed;
  private @Nullable Chunks opened;
  private byte[] beginning = {};
  private boolean isWhole;

  private Input(String name, boolean isPipe, InputStream stdin, boolean isMixed) {
    this.isMixed = isMixed;
    this.name = name;
    this.isPipe = isPipe;
    this.stdin = stdin;
  }

  /**
   * Returns the input of an argument.
   *
   * @param name a path, or {@link #STDIN}
   * @param stdin read only if it is named
   * @param isMixed whether lines may be text after those of JSON
   */
  static Input of(String name, InputStream stdin, boolean isMixed) {
    boolean isPipe = name.equals(STDIN) || !Files.isRegularFile(Path.of(name));
    return new Input(name, isPipe, stdin, isMixed);
  }

  /** Returns the name for messages. */
  String name() {
    return name.equals(STDIN) ? "the standard input" : name;
  }

  /**
   * Returns a digest of the path and the first line, which distinguishes the input from others and
   * does not change when the input grows. Call it after {@link #readBeginning}.
   */
  String identity() {
    int end = LineBreaks.lineFeed(beginning, 0, beginning.length);
    byte[] path = Path.of(name).toAbsolutePath().normalize().toString().getBytes(UTF_8);
    MessageDigest sha256 = Identity.newSha256();
    sha256.update(path);
    sha256.update((byte) 0); // a byte that no path contains
    sha256.update(beginning, 0, end < 0 ? beginning.length : end);
    return HexFormat.of().formatHex(sha256.digest());
  }

  /** Returns the number of packed bytes that were read so far; 0 for a pipe. */
  long readBytes() {
    return readBytes.get();
  }

  /** Returns the number of packed bytes of the file; -1 for a pipe. */
  long sizeBytes() {
    try {
      return isPipe ? -1 : Files.size(Path.of(name));
    } catch (IOException e) {
      return -1;
    }
  }

  /**
   * Reads the beginning of the input.
   *
   * @throws LoadFailure if it cannot be read, or is not text
   */
  void readBeginning() {
    try {
      Chunks chunks = open();
      Buffer read = Buffer.buffer();
      while (!isWhole && read.length() < BEGINNING_BYTES) {
        byte[] chunk = chunks.next();
        isWhole = chunk == null;
        if (chunk != null && chunk.length == 0 && hasLine(read)) {
          break;
        }
        read.appendBytes(chunk == null ? new byte[0] : chunk);
      }
      beginning = withoutMark(read.getBytes());
      if (isPipe) {
        opened = chunks;
      } else {
        chunks.close();
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
    if (indexOf(beginning, (byte) 0) >= 0) {
      throw new LoadFailure(
          name() + ": neither text in UTF-8 nor gzip or zstd of it (it contains a zero byte)");
    }
  }

  private static boolean hasLine(Buffer read) {
    return LineBreaks.lineFeed(read.getBytes(), 0, read.length()) >= 0;
  }

  private static int indexOf(byte[] bytes, byte wanted) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  private static byte[] withoutMark(byte[] bytes) {
    int from = Utf8.afterMark(bytes, 0, bytes.length);
    return from == 0 ? bytes : Arrays.copyOfRange(bytes, from, bytes.length);
  }

  /** Returns the form of the input. Call it after {@link #readBeginning}. */
  Form form() {
    Form form = Form.of(beginning);
    return form == Form.JSON_LINES && isMixed ? Form.LINES : form;
  }

  /**
   * Passes on the events of the beginning. The last one may be cut, unless it is the whole input.
   */
  void forBeginning(Items.Handler handler) {
    Items items = form().items(handler);
    named(() -> items.accept(beginning));
    if (isWhole) {
      named(items::end);
    }
  }

  /** Runs a step, and adds the name of the input to its failure. */
  void named(Runnable step) {
    try {
      step.run();
    } catch (LoadFailure e) {
      throw new LoadFailure(name() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Passes the input on after {@link #readBeginning}, until the taker returns false. An empty chunk
   * means that the writer of a pipe pauses. Returns whether the taker accepted all chunks.
   *
   * @throws LoadFailure if the input cannot be read
   */
  boolean forEachChunk(Predicate<byte[]> taker) {
    try (Chunks chunks = open()) {
      if (isPipe && !taker.test(beginning)) {
        return false;
      }
      boolean isFirst = !isPipe;
      byte[] chunk = isPipe && isWhole ? null : chunks.next();
      while (chunk != null) {
        if (!taker.test(isFirst ? withoutMark(chunk) : chunk)) {
          return false;
        }
        isFirst = false;
        chunk = chunks.next();
      }
      return true;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private Chunks open() throws IOException {
    if (opened != null) {
      return opened;
    }
    readBytes.set(0);
    if (name.equals(STDIN)) {
      return new Chunks.OfPipe(stdin, IDLE_MILLIS);
    }
    // This does not use Files.newInputStream, which would seek, and a pipe cannot do that.
    InputStream in = new FileInputStream(name);
    return isPipe ? new Chunks.OfPipe(in, IDLE_MILLIS) : Chunks.ofFile(in, readBytes);
  }

  private LoadFailure unreadable(IOException e) {
    return new LoadFailure("%s: %s".formatted(name(), e.getMessage()), e);
  }
}
