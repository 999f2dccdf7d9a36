package hourglass.ingest.protocols.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;

/** Entries in the export format, and the plain form of the payloads that they become. */
final class JournalText {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private JsonObject payload = new JsonObject();

  /** A field in a line. */
  JournalText text(String name, String value) {
    write(name + "=" + value + "\n");
    return put(name, value);
  }

  /** A field with a length. */
  JournalText binary(String name, byte[] value) {
    write(name + "\n");
    ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.writeBytes(length.putLong(value.length).array());
    bytes.writeBytes(value);
    write("\n");
    try {
      return put(name, UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
    } catch (CharacterCodingException e) {
      return put(name, new JsonObject().put("base64", Base64.getEncoder().encodeToString(value)));
    }
  }

  /** A field whose value is too large. */
  JournalText lost(String name, byte[] value) {
    JsonObject before = payload.copy();
    binary(name, value);
    payload = before.putNull(name);
    return this;
  }

  private JournalText put(String name, Object value) {
    Object before = payload.getValue(name);
    if (before instanceof JsonArray all) {
      all.add(value);
    } else {
      payload.put(name, before == null ? value : new JsonArray().add(before).add(value));
    }
    return this;
  }

  private void write(String text) {
    bytes.writeBytes(text.getBytes(UTF_8));
  }

  /** Ends the entry and returns its payload. */
  JsonObject end() {
    write("\n");
    JsonObject ended = payload;
    payload = new JsonObject();
    return ended;
  }

  /** Adds an entry as journald writes it. */
  JsonObject entry(int number, String identifier, String message) {
    return text("__CURSOR", "s=0;i=" + number)
        .text("__REALTIME_TIMESTAMP", Long.toString(1_795_435_070_000_000L + number))
        .text("PRIORITY", "6")
        .text("SYSLOG_IDENTIFIER", identifier)
        .text("MESSAGE", message)
        .end();
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
