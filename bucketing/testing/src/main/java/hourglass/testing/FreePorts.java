package hourglass.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Finds ports for servers that keep the same one after a restart. Thread-safe. */
public final class FreePorts {
  /**
   * The first port of the range. Systems choose none of these for sockets without a port of their
   * own, and sandboxes use higher ones.
   */
  private static final int FIRST = 12_000;

  private static final int COUNT = 8_000;

  /**
   * The next port to try. It starts anywhere, since another process may run tests at the same time.
   */
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private FreePorts() {}

  /** Returns a port that was free a moment ago, and that this process gives to no other test. */
  public static int next() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        // The port is in use; the next one may be free.
      }
    }
    throw new BindException("no port from " + FIRST + " on is free");
  }
}
