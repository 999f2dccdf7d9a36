package hourglass.config.gate.auth;

import hourglass.access.Client;
import hourglass.config.gate.keys.Key;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request. Immutable.
 *
 * @param key null for a stranger
 * @param isWrong whether the request contained a key that is not valid: unknown, expired or revoked
 */
record Caller(@Nullable Key key, Client client, boolean isWrong) {}
