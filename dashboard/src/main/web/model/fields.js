import { kindOf } from './json-preview.js';

/** Fields of payloads by name, as the API names them: `data.path`, `data.user.id`. A literal key with dots wins. */

const DATA = 'data.';

/** The name of a field, or null where the API has none for it: within lists, and where a name holds what separates names. */
export function fieldName(path) {
  const sayable = path.length > 0 && path.every((part) => typeof part === 'string' && part !== '' && !part.includes(',') && part.isWellFormed());
  return sayable ? DATA + path.join('.') : null;
}

/** The value of a field of an event's payload; undefined where it is not there. */
export function fieldOf(data, name) {
  return name.startsWith(DATA) ? find(data, name.slice(DATA.length)) : undefined;
}

/** At every level the longest key that leads on wins. */
function find(value, path) {
  if (kindOf(value) !== 'object') return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const key = path.slice(0, dot);
    const found = Object.hasOwn(value, key) ? find(value[key], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `path` of `data.path`: what heads a column. */
export const shortName = (name) => (name.startsWith(DATA) ? name.slice(DATA.length) : name);
