package hourglass.config.gate.auth;

import hourglass.access.Client;
import hourglass.config.gate.keys.Key;
import org.jspecify.annotations.Nullable;

/**
 * Who sent a request. Immutable.
 *
 * @param key null for a stranger
 * @param isWrong whether a key was shown that is none: unknown, expired or revoked
 */
record Caller(@Nullable Key key, Client client, boolean isWrong) {}
