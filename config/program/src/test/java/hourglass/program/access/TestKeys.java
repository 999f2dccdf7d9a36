package hourglass.program.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** A file of keys as a person would write it. */
final class TestKeys {
  private final Path file;
  private final Map<String, String> members = new LinkedHashMap<>();

  TestKeys(Path folder) {
    file = folder.resolve("keys.conf");
  }

  /** The secret of a key, the same in each run. */
  static String secret(String name) {
    return "hg_" + Base64.getUrlEncoder().withoutPadding().encodeToString(sha256("of " + name));
  }

  static String bearer(String name) {
    return "Bearer " + secret(name);
  }

  /** Adds a key with further members, such as {@code scopes = [query]}. */
  TestKeys with(String name, String more) {
    String hash = HexFormat.of().formatHex(sha256(secret(name)));
    members.put(name, "secrets = [\"sha256:%s\"], %s".formatted(hash, more));
    return this;
  }

  TestKeys without(String name) {
    members.remove(name);
    return this;
  }

  Path write() throws IOException {
    StringBuilder text = new StringBuilder("keys {\n");
    members.forEach((name, key) -> text.append("  %s { %s }%n".formatted(name, key)));
    return write(text + "}\n");
  }

  Path write(String text) throws IOException {
    Path next = Files.writeString(file.resolveSibling("keys.next"), text);
    return Files.move(
        next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
