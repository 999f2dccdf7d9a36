package hourglass.store.sandbox;

import java.nio.file.Path;

/** A JVM that starts a server, prints its process id, and waits to be killed. */
final class Owner {
  private Owner() {}

  /** The arguments are the server's folder, and whether to freeze it. */
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
