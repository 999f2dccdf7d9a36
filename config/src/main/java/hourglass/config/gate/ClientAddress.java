package hourglass.config.gate;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a request's client, for limits on each client. Immutable.
 *
 * <p>The address is that of the connection's peer. If the peer is a trusted proxy, it is the last
 * address in {@code X-Forwarded-For} that is not a trusted proxy, because a stranger may have
 * written those before it. IPv6 clients count by /64, since each owns that many addresses.
 */
public final class ClientAddress {
  /** The name under which each routing context contains the client's address, a {@code String}. */
  public static final String KEY = "hourglass.client";

  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String UNKNOWN = "unknown";
  private static final int IPV6_CLIENT_BYTES = 8;

  private final List<AddressRange> proxies;

  /** Creates a finder that trusts {@code proxies} to send {@code X-Forwarded-For}. */
  public ClientAddress(List<AddressRange> proxies) {
    this.proxies = List.copyOf(proxies);
  }

  /** Mounts a handler that finds the address of every request. Mount it before any other route. */
  public void mount(Router router) {
    router
        .route()
        .handler(
            ctx -> {
              ctx.put(KEY, of(ctx.request()));
              ctx.next();
            });
  }

  /** Returns the address under which a connection counts, by the socket of its peer. */
  static String ofPeer(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress socket && socket.getAddress() != null
        ? share(socket.getAddress().getHostAddress())
        : UNKNOWN;
  }

  /** Returns the address under which the peer of a connection counts. */
  public static String ofPeer(@Nullable String address) {
    return share(address);
  }

  public String of(HttpServerRequest request) {
    String peer = request.remoteAddress().hostAddress();
    if (proxies.isEmpty()) {
      return share(peer);
    }
    return of(peer, request.headers().getAll(FORWARDED_FOR));
  }

  /**
   * Finds the client's address. {@code peer} is null if it has no address; {@code forwarded}
   * contains the headers in their order.
   */
  String of(@Nullable String peer, List<String> forwarded) {
    byte[] known = peer == null ? null : AddressRange.address(peer);
    if (known == null) {
      return UNKNOWN;
    }
    String[] hops = String.join(",", forwarded).split(",", -1);
    for (int i = hops.length - 1; i >= 0 && isProxy(known); i--) {
      byte[] hop = hop(hops[i].strip());
      if (hop == null) {
        break; // the proxy names no client, so it counts as the client itself
      }
      known = hop;
    }
    return share(known);
  }

  private boolean isProxy(byte[] address) {
    return proxies.stream().anyMatch(proxy -> proxy.contains(address));
  }

  /** Reads an address with or without a port, as proxies write it. */
  private static byte @Nullable [] hop(String written) {
    String text = written.replace("\"", "");
    int portAt = text.lastIndexOf(':');
    boolean hasPort = text.contains("]:") || portAt >= 0 && portAt == text.indexOf(':');
    return AddressRange.address(hasPort ? text.substring(0, portAt) : text);
  }

  private static String share(@Nullable String peer) {
    byte[] address = peer == null ? null : AddressRange.address(peer);
    return address == null ? UNKNOWN : share(address);
  }

  private static String share(byte[] address) {
    if (address.length == AddressRange.IPV4_BYTES) {
      return AddressRange.text(address);
    }
    byte[] network = Arrays.copyOf(Arrays.copyOf(address, IPV6_CLIENT_BYTES), address.length);
    return AddressRange.text(network) + "/64";
  }
}
