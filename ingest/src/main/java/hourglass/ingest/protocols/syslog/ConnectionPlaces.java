package hourglass.ingest.protocols.syslog;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the connections of all listeners. One address may have half of them, so that no sender
 * keeps all others out. Thread-safe.
 */
final class ConnectionPlaces {
  private final int max;

  // Guarded by this.
  private final Map<String, Integer> byAddress = new HashMap<>();
  private int taken;

  ConnectionPlaces(int max) {
    this.max = max;
  }

  synchronized boolean take(String address) {
    int own = byAddress.getOrDefault(address, 0);
    if (taken >= max || own >= Math.max(1, max / 2)) {
      return false;
    }
    taken++;
    byAddress.put(address, own + 1);
    return true;
  }

  synchronized void free(String address) {
    taken--;
    byAddress.computeIfPresent(address, (of, own) -> own == 1 ? null : Integer.valueOf(own - 1));
  }
}
