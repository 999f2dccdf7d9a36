package hourglass.store.sandbox;

import java.nio.file.Path;

/** A JVM that starts a server, says its number, and waits to be killed. */
final class Owner {
  private Owner() {}

  /**
   * @param args the server's folder; whether it is to be frozen
   */
  public static void main(String[] args) throws Exception {
    SandboxServer server = new SandboxServer("server", Waits.command(), Path.of(args[0]));
    server.launch();
    server.await(SandboxServer.startEndNanos(), () -> server.output().contains("waiting"));
    if (Boolean.parseBoolean(args[1])) {
      server.freeze();
    }
    System.out.println(server.pid());
    Waits.main(new String[0]);
  }
}
