package hourglass.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of the loopback address at which connections are refused: it is taken, so that no other
 * process can get it, and nobody listens. Thread-safe.
 */
public final class ClosedPort implements AutoCloseable {
  private final Socket holder = new Socket();

  public ClosedPort() throws IOException {
    holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  public int number() {
    return holder.getLocalPort();
  }

  /** {@code 127.0.0.1:12345}. */
  public String address() {
    return "127.0.0.1:" + number();
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
