package hourglass.config.server;

import hourglass.config.gate.audit.AuditEvent;
import hourglass.config.gate.audit.AuditLog;
import hourglass.config.gate.keys.Key;
import hourglass.config.gate.keys.KeyRing;
import hourglass.config.gate.keys.Keys;
import hourglass.config.gate.keys.Scope;
import hourglass.config.gate.keys.SecretHash;

/** Writes changes of keys to the audit file. Thread-safe. */
record KeysAudit(AuditLog log) implements KeyRing.Listener {
  @Override
  public void changed(Keys before, Keys after) {
    for (Key key : after.all()) {
      Key known = before.named(key.name());
      if (known == null) {
        log.add(event("key-added", key));
      } else if (!known.equals(key)) {
        log.add(event("key-changed", key));
      }
    }
    before.all().stream()
        .filter(key -> after.named(key.name()) == null)
        .forEach(key -> log.add(event("key-removed", key)));
  }

  @Override
  public void refused(String why) {
    log.add(AuditEvent.of("keys-refused").with("reason", why));
  }

  private static AuditEvent event(String name, Key key) {
    return AuditEvent.of(name)
        .with("key", key.name())
        .with("scopes", key.scopes().stream().map(Scope::text).sorted().toList())
        .with("types", key.types().texts())
        .with("expires", key.expires())
        .with("secrets", key.secrets().stream().map(SecretHash::id).toList());
  }
}
