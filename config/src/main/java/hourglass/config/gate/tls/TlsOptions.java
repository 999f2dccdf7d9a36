package hourglass.config.gate.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of a server that speaks TLS, all in PEM.
 *
 * @param cert the server's certificate, and behind it those between it and its authority
 * @param key the private key of the first of them
 * @param clientCa the authorities of clients; null where no client is asked for a certificate
 */
public record TlsOptions(
    Path cert, Path key, @Nullable Path clientCa, ClientCertificates clients) {}
