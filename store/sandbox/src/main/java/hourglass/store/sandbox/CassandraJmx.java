package hourglass.store.sandbox;

import java.io.IOException;
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

/** A node's view of its cluster. */
final class CassandraJmx {
  private CassandraJmx() {}

  /** The addresses that own tokens and are alive, as the node sees it; none if it cannot say. */
  @SuppressWarnings("BanJNDI") // a name on the loopback, which this module chose
  static Set<String> liveOwners(int port) {
    String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi";
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
