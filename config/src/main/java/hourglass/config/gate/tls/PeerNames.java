package hourglass.config.gate.tls;

import io.vertx.core.http.HttpServerRequest;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Reads the names of clients from their verified certificates. */
public final class PeerNames {
  private static final int MAIL = 1;
  private static final int DNS = 2;

  private PeerNames() {}

  /**
   * Returns the alternative names that are DNS names or e-mail addresses, in their order. If there
   * are no alternative names at all, returns the common name, as RFC 6125 specifies. The list is
   * empty without TLS, or if the client sent no certificate.
   */
  public static List<String> of(HttpServerRequest request) {
    return of(request.connection().sslSession());
  }

  /** Returns the names of a TLS session, as for a request. The session is null without TLS. */
  public static List<String> of(@Nullable SSLSession session) {
    if (session == null) {
      return List.of();
    }
    try {
      return session.getPeerCertificates()[0] instanceof X509Certificate certificate
          ? of(certificate)
          : List.of();
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  static List<String> of(X509Certificate certificate) {
    Collection<List<?>> alternatives;
    try {
      alternatives = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      return List.of();
    }
    if (alternatives == null) {
      return commonNames(certificate).toList();
    }
    List<String> names = new ArrayList<>();
    for (List<?> alternative : alternatives) {
      int kind = (Integer) alternative.get(0);
      if ((kind == DNS || kind == MAIL) && alternative.get(1) instanceof String name) {
        names.add(name);
      }
    }
    return List.copyOf(names);
  }

  private static Stream<String> commonNames(X509Certificate certificate) {
    try {
      List<Rdn> parts = new LdapName(certificate.getSubjectX500Principal().getName()).getRdns();
      return parts.stream()
          .filter(part -> part.getType().equalsIgnoreCase("CN"))
          .map(Rdn::getValue)
          .filter(String.class::isInstance)
          .map(String.class::cast);
    } catch (InvalidNameException e) {
      return Stream.of();
    }
  }
}
