package hourglass.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A bound port of the loopback address on which no socket listens. Connections to it are refused,
 * and no other process can take it. Thread-safe.
 */
public final class ClosedPort implements AutoCloseable {
  private final Socket holder = new Socket();

  public ClosedPort() throws IOException {
    holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  public int number() {
    return holder.getLocalPort();
  }

  /** Returns the address, such as {@code 127.0.0.1:12345}. */
  public String address() {
    return "127.0.0.1:" + number();
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }
}
