package hourglass.store.sandbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** One node of a {@link CassandraCluster}. Thread-safe. */
public final class CassandraNode extends SandboxServer {
  private final CassandraCluster cluster;
  private final InetSocketAddress address;
  private final int jmxPort;

  CassandraNode(CassandraCluster cluster, CassandraCommand command, int number) throws IOException {
    super("Cassandra node " + number, command.daemon(number), command.folder(number));
    this.cluster = cluster;
    address = command.clients(number);
    jmxPort = command.jmxPort(number);
  }

  public InetSocketAddress address() {
    return address;
  }

  /**
   * Starts the node again, after it was stopped or killed. Returns when all running nodes see each
   * other.
   *
   * @throws SandboxException if that takes too long, or the node ends by itself
   */
  public void restart() throws InterruptedException {
    requireEnded();
    launch();
    cluster.awaitRing(startEndNanos());
  }

  int jmxPort() {
    return jmxPort;
  }

  /** The addresses that own tokens and are alive in the view of this node; empty on failure. */
  @SuppressWarnings("BanJNDI") // a name on the loopback
  Set<String> liveOwners() {
    String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + jmxPort + "/jmxrmi";
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      ObjectName storage = new ObjectName("org.apache.cassandra.db:type=StorageService");
      Set<String> addresses = new HashSet<>();
      ((Map<?, ?>) beans.getAttribute(storage, "TokenToEndpointMap"))
          .values()
          .forEach(owner -> addresses.add((String) owner));
      addresses.retainAll((Collection<?>) beans.getAttribute(storage, "LiveNodes"));
      return addresses;
    } catch (IOException | JMException e) {
      return Set.of();
    }
  }
}
