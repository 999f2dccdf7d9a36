/**
 * How an expression of `where` refers to a field by its name in the API (`data.http.user-agent`), whether its dots are
 * levels or stand in a key.
 */

const DATA = 'data.';

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Words that CEL keeps for itself: no field may be named so after a dot, but in backticks. */
const RESERVED = new Set([
  'as', 'break', 'const', 'continue', 'else', 'false', 'for', 'function', 'if', 'import', 'in', 'let', 'loop', 'namespace', 'null',
  'package', 'return', 'true', 'var', 'void', 'while',
]);

export const isWord = (name) => IDENTIFIER.test(name) && !RESERVED.has(name);

/** What every event has beside its payload; its level is derived from that. */
export const OUTSIDE = ['type', 'id', 'time', 'detected_level'];

/** The parts of `data.a.b`. */
const partsOf = (name) => name.slice(DATA.length).split('.');

/** Names that CEL can say: backticks have no escapes. */
export const canRefer = (name) => name.startsWith(DATA) && partsOf(name).every((part) => isWord(part) || (part !== '' && !/[`\n\r]/.test(part) && part.isWellFormed()));

/** What CEL allows in backticks. */
const TICKED = /^[A-Za-z0-9_./ -]+$/;

const joined = (of, parts) => parts.reduce((text, part) => text + (isWord(part) ? `.${part}` : TICKED.test(part) ? `.\`${part}\`` : `[${JSON.stringify(part)}]`), of);

/** ``data.http.`user-agent` `` */
export const reference = (name) => (OUTSIDE.includes(name) ? name : joined('data', partsOf(name)));

/** True where an event has the field. */
export const isThere = (name) => (OUTSIDE.includes(name) ? 'true' : `has(${reference(name)})`);

/**
 * Conditions that find the events without a field: exactly one of them holds for such an event, and none for an event
 * that has it. Where an object on the way is missing, the other conditions are errors, which `||` ignores.
 */
export function isNotThere(name) {
  if (OUTSIDE.includes(name)) return [];
  const parts = partsOf(name);
  return parts.map((_, level) => {
    const object = joined('data', parts.slice(0, level));
    const without = `!has(${joined('data', parts.slice(0, level + 1))})`;
    const keys = parts.slice(level + 1).map((__, i) => `!(${JSON.stringify(parts.slice(level, level + i + 2).join('.'))} in ${object})`);
    return keys.length === 0 ? without : `(${[without, ...keys].join(' && ')})`;
  });
}

/**
 * The field that a reader means by a name, which may leave out `data.`.
 *
 * @param {Map<string, object>} known by the names of fields in the API
 */
export function resolve(name, known) {
  if (OUTSIDE.includes(name)) return name;
  if (name.startsWith(DATA) && (known.has(name) || !known.has(DATA + name))) return name;
  return DATA + name;
}
