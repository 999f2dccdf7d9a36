package hourglass.config.gate.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Trusts the certificates of a file, and no others. */
public final class Trust {
  private Trust() {}

  /**
   * Creates the sockets of a client that trusts a server if the file contains the server's
   * certificate or that of its authority.
   */
  public static SSLSocketFactory sockets(Path file) throws TlsException {
    PemFile pem = PemFile.read(file);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {manager(pem)}, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException e) {
      throw pem.refused("cannot be trusted (" + e.getMessage() + ")", e);
    }
  }

  static X509TrustManager manager(PemFile file) throws TlsException {
    List<X509Certificate> certificates = file.certificates();
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (int i = 0; i < certificates.size(); i++) {
        trusted.setCertificateEntry("trusted-" + i, certificates.get(i));
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      for (TrustManager manager : factory.getTrustManagers()) {
        if (manager instanceof X509TrustManager ofCertificates) {
          return ofCertificates;
        }
      }
      throw new IllegalStateException("no trust manager for certificates");
    } catch (GeneralSecurityException | IOException e) {
      throw file.refused("cannot be trusted (" + e.getMessage() + ")", e);
    }
  }
}
