/**
 * What a key may do, by its scopes and types: `{name, scopes, types}` of the session. Without a key everything is
 * offered: the server has none, or has not said yet.
 */
const has = (key, scope) => key === null || key.scopes.includes(scope) || key.scopes.includes('admin');

/** What a part of the page needs, in words, or null where the key has it. */
const missing = (key, scope) => (has(key, scope) ? null : `The key ${key.name} lacks the scope ${scope}`);

export const accessOf = (key) => ({
  events: missing(key, 'query'),
  metrics: missing(key, 'metrics'),
  push: missing(key, 'ingest'),
  /** Rows and rejects tell of all types. */
  allTypes: missing(key, 'query') ?? (has(key, 'admin') || key.types.includes('*') ? null : `The key ${key.name} sees only some types, and this tells of all`),
});

/** Of a key: `query, metrics`. */
export const scopesText = ({ scopes }) => (scopes.length === 0 ? 'none' : scopes.join(', '));

/** Of a key: `all` or its patterns. */
export const typesText = ({ types }) => (types.includes('*') ? 'all' : types.length === 0 ? 'none' : types.join(', '));
