package hourglass.program.shippers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;

/**
 * Passes the bytes between one client and a server, and can lose an answer: the server has the
 * request, and the client sees a broken connection. It knows as much of HTTP as it needs to count
 * pushes and their answers. A server that is away refuses the client's connections, and so does a
 * proxy that has left.
 */
final class LosingProxy implements AutoCloseable {
  private static final Set<String> PUSHES =
      Set.of("_bulk", "/push", "/v1/logs", "/events", "/collector", "/upload");

  private static final String STATUS_LINE = "HTTP/1.1 ";

  private final int serverPort;
  private final int port;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  // Guarded by this.
  private ServerSocket listener;
  private final BitSet acknowledged = new BitSet();
  private int pushes;
  private int losing;
  private int refused;
  private int lost;

  LosingProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.port = listener.getLocalPort();
    start("accept", () -> accept(listener));
  }

  int port() {
    return port;
  }

  /** Breaks all connections, and listens no more. */
  void leave() throws IOException {
    synchronized (this) {
      listener.close();
    }
    for (Socket socket : open) {
      socket.close();
    }
  }

  /** Listens again, on the same port. */
  synchronized void comeBack() throws IOException {
    ServerSocket next = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    listener = next;
    start("accept", () -> accept(next));
  }

  /** Loses the answer to the {@code n}-th push, counted from 1. */
  synchronized void loseAnswer(int n) {
    losing = n;
  }

  /** Pushes that the server answered, however. */
  synchronized int pushes() {
    return pushes;
  }

  synchronized int lost() {
    return lost;
  }

  /** Pushes that were answered with 429 or 503. */
  synchronized int refused() {
    return refused;
  }

  /**
   * Numbers of messages in pushes that the client saw acknowledged, of bodies that are not packed.
   */
  synchronized BitSet acknowledged() {
    return (BitSet) acknowledged.clone();
  }

  private static void start(String what, Runnable run) {
    Thread thread = new Thread(run, "proxy-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept(ServerSocket from) {
    while (!from.isClosed()) {
      try {
        Socket client = from.accept();
        open.add(client);
        connect(client);
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket client) throws IOException {
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      open.add(server);
      Connection connection = new Connection(client, server);
      start("requests", connection::passRequests);
      start("answers", connection::passAnswers);
    } catch (IOException e) {
      client.setSoLinger(true, 0); // a reset, as a port without a server answers
      client.close();
    }
  }

  @Override
  public void close() {
    try {
      leave();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized boolean isToBeLost() {
    pushes++;
    if (pushes == losing) {
      lost++;
    }
    return pushes == losing;
  }

  private synchronized void answered(int status, String request) {
    if (status == 429 || status == 503) {
      refused++;
    } else if (status / 100 == 2) {
      Matcher number = Shipper.NUMBER.matcher(request);
      while (number.find()) {
        acknowledged.set(Integer.parseInt(number.group(1)));
      }
    }
  }

  /** Clients send a request after the answer to the one before it. */
  private final class Connection {
    private final Socket client;
    private final Socket server;
    private final ByteArrayOutputStream request = new ByteArrayOutputStream();
    private boolean isAnswerDue;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void passRequests() {
      byte[] b = new byte[1 << 16];
      try {
        for (int n = client.getInputStream().read(b); n >= 0; n = client.getInputStream().read(b)) {
          sent(b, n);
          server.getOutputStream().write(b, 0, n);
        }
        server.shutdownOutput();
      } catch (IOException e) {
        end();
      }
    }

    private synchronized void sent(byte[] b, int length) {
      if (!isAnswerDue) {
        request.reset();
        isAnswerDue = true;
      }
      request.write(b, 0, length);
    }

    void passAnswers() {
      byte[] b = new byte[1 << 16];
      try {
        for (int n = server.getInputStream().read(b); n >= 0; n = server.getInputStream().read(b)) {
          int status = status(new String(b, 0, Math.min(n, 16), ISO_8859_1));
          if (status > 100 && isToBeLost()) {
            break;
          }
          String pushed = pushed(); // before the client answers with its next push
          client.getOutputStream().write(b, 0, n);
          if (status > 100) {
            answered(status, pushed);
          }
        }
      } catch (IOException e) {
        // one of them is away, and the other has to know
      }
      end();
    }

    private synchronized String pushed() {
      return request.toString(ISO_8859_1);
    }

    /** Returns the status of the answer that begins here; 0 if none does. */
    private synchronized int status(String start) {
      if (!isAnswerDue || !start.startsWith(STATUS_LINE)) {
        return 0;
      }
      int status =
          Integer.parseInt(start.substring(STATUS_LINE.length(), STATUS_LINE.length() + 3));
      isAnswerDue = status == 100;
      String line = request.toString(ISO_8859_1).lines().findFirst().orElse("");
      boolean isPush = line.startsWith("P") && PUSHES.stream().anyMatch(line::contains);
      return isPush ? status : 0;
    }

    private void end() {
      try (client;
          server) {
        open.remove(client);
        open.remove(server);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
