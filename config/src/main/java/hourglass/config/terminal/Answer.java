package hourglass.config.terminal;

import hourglass.command.SafeText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/**
 * An answer of a server that has begun. Reading a body that breaks off fails, so it never seems to
 * be complete.
 */
final class Answer implements AutoCloseable {
  private final HttpURLConnection connection;
  private final InputStream body;

  Answer(HttpURLConnection connection) throws IOException, AskException {
    this.connection = connection;
    long length = connection.getContentLengthLong();
    if (length < 0 && !"chunked".equalsIgnoreCase(connection.getHeaderField("Transfer-Encoding"))) {
      connection.disconnect();
      throw new AskException("the answer has neither a length nor chunks, so its end is unknown");
    }
    this.body = new Body(connection.getInputStream(), length);
  }

  InputStream body() {
    return body;
  }

  /**
   * Returns a header of the answer, or a trailer once the body has ended. Returns null if there is
   * none.
   */
  @Nullable String fact(String name) {
    return connection.getHeaderField(name);
  }

  /** Returns whether another page follows this one. */
  boolean hasNext() {
    String link = fact("Link");
    return link != null && link.contains("rel=\"next\"");
  }

  /**
   * Checks that the answer is complete. Call it after the end of a body whose headers and trailers
   * say so.
   */
  void requireComplete() throws AskException {
    String complete = fact("Hourglass-Complete");
    if (!"true".equals(complete)) {
      String rows = fact("Hourglass-Rows-Missing");
      String parts = fact("Hourglass-Missing");
      String why = complete == null ? ": the server does not say that it is" : "";
      throw new AskException(
          SafeText.line(
              "the answer is not complete"
                  + why
                  + (rows == null ? "" : "; rows missing: " + rows)
                  + (parts == null ? "" : "; parts missing: " + parts)));
    }
  }

  @Override
  public void close() {
    connection.disconnect();
  }

  /** A body that distinguishes breaking off from ending. */
  private static final class Body extends FilterInputStream {
    private final long length;
    private long read;

    /** Creates a body of a length in bytes, or -1 for chunks, which mark their end. */
    Body(InputStream in, long length) {
      super(in);
      this.length = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int count;
      try {
        count = super.read(to, from, length);
      } catch (java.net.SocketTimeoutException e) {
        throw new BrokenAnswerException("the answer stopped: " + e.getMessage());
      } catch (IOException e) {
        throw new BrokenAnswerException("the answer broke off: " + e.getMessage());
      }
      if (count > 0) {
        read += count;
      } else if (count < 0 && this.length > read) {
        throw new BrokenAnswerException(
            "the answer broke off: %,d of %,d bytes".formatted(read, this.length));
      }
      return count;
    }
  }
}
