package hourglass.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for servers that are to have the same one after a restart. Thread-safe. */
public final class FreePorts {
  /**
   * Systems give none of these to sockets without a port of their own; sandboxes take higher ones.
   */
  private static final int FIRST = 12_000;

  private static final int COUNT = 8_000;

  /** Starts anywhere, as another process may test beside this one. */
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
        // in use; the next may not be
      }
    }
    throw new BindException("no port from " + FIRST + " on is free");
  }
}
