package hourglass.config.gate.tls;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Map;

/**
 * Reads the private key of a certificate, in PKCS #8 or in the older forms of RSA and EC.
 *
 * <p>The JDK reads only PKCS #8. An older form becomes PKCS #8 if a head with the algorithm is put
 * before it. The public key contains the same algorithm:
 *
 * <pre>
 *   PublicKey   SEQUENCE { SEQUENCE algorithm, BIT STRING key }
 *   PKCS #8     SEQUENCE { INTEGER 0, SEQUENCE algorithm, OCTET STRING older form }
 * </pre>
 */
final class PrivateKeys {
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;

  /** The size limit of a key in an older form. An RSA key of 16,384 bits has 9 KiB. */
  private static final int KEY_BYTES_MAX = 16 << 10;

  private static final byte[] VERSION = {0x02, 0x01, 0x00};

  /** The algorithms of signatures, by the algorithm of the key. */
  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  private PrivateKeys() {}

  /** Reads the private key. Throws if it does not belong to the certificate. */
  static PrivateKey read(PemFile file, PemFile cert, PublicKey publicKey) throws TlsException {
    String signing = SIGNATURES.get(publicKey.getAlgorithm());
    if (signing == null) {
      throw cert.refused(
          "a key of " + publicKey.getAlgorithm() + ", want RSA, EC or Ed25519", null);
    }
    byte[] pkcs8 = pkcs8(file, publicKey);
    try {
      PrivateKey key =
          KeyFactory.getInstance(publicKey.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      Signature signature = Signature.getInstance(signing);
      signature.initSign(key);
      signature.update(VERSION); // any bytes will do
      byte[] signed = signature.sign();
      signature.initVerify(publicKey);
      signature.update(VERSION);
      if (signature.verify(signed)) {
        return key;
      }
    } catch (GeneralSecurityException e) {
      // The key has another algorithm or is no key at all. The exception is dropped because its
      // message might quote the key.
    }
    throw file.refused("not the key of the first certificate of " + cert.path(), null);
  }

  private static byte[] pkcs8(PemFile file, PublicKey publicKey) throws TlsException {
    for (PemFile.Block block : file.blocks()) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return block.der();
        }
        case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
          if (block.der().length > KEY_BYTES_MAX) {
            throw file.refused("a key of more than 16 KiB", null);
          }
          byte[] algorithm = firstInside(publicKey.getEncoded());
          return element(SEQUENCE, join(VERSION, algorithm, element(OCTET_STRING, block.der())));
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw file.refused(
                "the key is encrypted, want it plain (openssl pkey -in FILE -out PLAIN) and readable for"
                    + " the user of this process alone",
                null);
        default -> {
          // The block contains parameters of a curve, or certificates. The key may follow.
        }
      }
    }
    throw file.refused("no private key in it, want PEM with -----BEGIN PRIVATE KEY-----", null);
  }

  /** Returns the first element of a sequence, including its head. */
  private static byte[] firstInside(byte[] sequence) {
    int start = headBytes(sequence, 0);
    int end = start + headBytes(sequence, start) + contentBytes(sequence, start);
    return Arrays.copyOfRange(sequence, start, end);
  }

  private static int headBytes(byte[] der, int at) {
    int length = der[at + 1] & 0xff;
    return length < 0x80 ? 2 : 2 + (length & 0x7f);
  }

  private static int contentBytes(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7f); i++) {
      length = length << 8 | der[at + 2 + i] & 0xff;
    }
    return length;
  }

  /**
   * Encodes an element with the shortest form of its length, the only form that the JDK accepts.
   */
  private static byte[] element(int tag, byte[] content) {
    int length = content.length;
    byte[] head =
        length < 0x80
            ? new byte[] {(byte) tag, (byte) length}
            : length < 0x100
                ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >>> 8), (byte) length};
    return join(head, content);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
