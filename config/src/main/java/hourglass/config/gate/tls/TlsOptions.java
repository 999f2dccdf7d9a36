package hourglass.config.gate.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The files of a TLS server, all in PEM.
 *
 * @param cert the server's certificate, followed by those between it and its authority
 * @param key the private key of the server's certificate
 * @param clientCa the authorities of clients; null if no client is asked for a certificate
 */
public record TlsOptions(
    Path cert, Path key, @Nullable Path clientCa, ClientCertificates clients) {}
