package hourglass.config.gate.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file that contains objects in PEM (RFC 7468).
 *
 * @param text the contents, by which two versions of a file are compared
 */
record PemFile(Path path, String text) {
  /**
   * The size limit of a file. A chain of certificates has a few KB, and all public authorities
   * together 250 KB.
   */
  private static final int BYTES_MAX = 1 << 20;

  private static final String CERTIFICATE = "CERTIFICATE";

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  /** The bytes of an object, with the label of its first line. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Block(String label, byte[] der) {}

  static PemFile read(Path path) throws TlsException {
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(BYTES_MAX + 1);
      if (bytes.length > BYTES_MAX) {
        throw new TlsException(path + ": larger than 1 MiB, want a PEM file", null);
      }
      return new PemFile(path, new String(bytes, StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException e) {
      throw new TlsException(path + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new TlsException(path + ": not readable for the user of this process", e);
    } catch (IOException e) {
      throw new TlsException("%s: cannot be read (%s)".formatted(path, e.getMessage()), e);
    }
  }

  /** Returns the certificates in the order of the file, at least one. */
  List<X509Certificate> certificates() throws TlsException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks()) {
      if (block.label().equals(CERTIFICATE)) {
        certificates.add(certificate(block.der()));
      }
    }
    if (certificates.isEmpty()) {
      throw refused("no certificate in it, want PEM with -----BEGIN CERTIFICATE-----", null);
    }
    return certificates;
  }

  private X509Certificate certificate(byte[] der) throws TlsException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException e) {
      throw refused("a certificate in it is damaged (" + e.getMessage() + ")", e);
    }
  }

  List<Block> blocks() throws TlsException {
    List<Block> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      try {
        byte[] der = Base64.getMimeDecoder().decode(block.group(2));
        blocks.add(new Block(block.group(1), der));
      } catch (IllegalArgumentException e) {
        throw refused("not in base64 between its lines of PEM", null);
      }
    }
    return blocks;
  }

  /**
   * Returns an exception about this file. The reason must never contain a part of the file, which
   * may be a private key.
   */
  TlsException refused(String why, @Nullable Throwable cause) {
    return new TlsException(path + ": " + why, cause);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
