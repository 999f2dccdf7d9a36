package hourglass.config.gate;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a request's client, for limits on each client. Immutable.
 *
 * <p>It is the connection's peer. Where that is a trusted proxy, it is the last address in {@code
 * X-Forwarded-For} that is none: a stranger may have written those before it. IPv6 clients count by
 * /64, since each owns that many addresses.
 */
public final class ClientAddress {
  /** Under this name each routing context has the client's address, a {@code String}. */
  public static final String KEY = "hourglass.client";

  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String UNKNOWN = "unknown";
  private static final int IPV6_CLIENT_BYTES = 8;

  private final List<AddressRange> proxies;

  /** The {@code proxies} are trusted to send {@code X-Forwarded-For}. */
  public ClientAddress(List<AddressRange> proxies) {
    this.proxies = List.copyOf(proxies);
  }

  /** Gives the address to every request, before any other route. */
  public void mount(Router router) {
    router
        .route()
        .handler(
            ctx -> {
              ctx.put(KEY, of(ctx.request()));
              ctx.next();
            });
  }

  /** The address of a client or a proxy. */
  public static String ofPeer(HttpConnection connection) {
    return ofPeer(connection.remoteAddress().hostAddress());
  }

  /** Of the address of a connection's peer. */
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

  /** Without an address, {@code peer} is null; {@code forwarded} has the headers in their order. */
  String of(@Nullable String peer, List<String> forwarded) {
    byte[] known = peer == null ? null : AddressRange.address(peer);
    if (known == null) {
      return UNKNOWN;
    }
    String[] hops = String.join(",", forwarded).split(",", -1);
    for (int i = hops.length - 1; i >= 0 && isProxy(known); i--) {
      byte[] hop = hop(hops[i].strip());
      if (hop == null) {
        break; // a proxy that does not say: it is the client itself, as far as can be known
      }
      known = hop;
    }
    return share(known);
  }

  private boolean isProxy(byte[] address) {
    return proxies.stream().anyMatch(proxy -> proxy.contains(address));
  }

  /** With or without a port, as proxies write it. */
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
