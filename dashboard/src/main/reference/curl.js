/** A command for an operation, ready for a terminal; the page puts its own server in place of this one. */

export const SERVER = 'http://127.0.0.1:8080';

/** Values that make a command which answers something, by the name of the parameter. */
const VALUES = { hour: '2026-11-20T08', field: 'data.status', id: 'ID', type: 'checkout', key: 'SECRET' };

/** Parameters that are named though they need not be: without them the answer would be of all times. */
const SHOWN = new Set(['hour']);

export function curlOf(method, path, { parameters = [], requestBody }) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => VALUES[name] ?? name.toUpperCase());
  const query = parameters.filter(({ in: place, name, required }) => place === 'query' && (required || SHOWN.has(name)));
  const search = query.map(({ name }) => `${name}=${encodeURIComponent(VALUES[name] ?? name.toUpperCase()).replaceAll('%3A', ':')}`).join('&');
  const address = `'${SERVER}${filled}${search ? `?${search}` : ''}'`;
  const [type] = Object.keys(requestBody?.content ?? {});
  const body = type === undefined ? '' : ` -H 'Content-Type: ${type}' -d '${bodyOf(requestBody.content[type])}'`;
  return `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${address}${body}`;
}

const bodyOf = ({ example }) => JSON.stringify(example ?? { type: 'checkout', time: '2026-11-20T08:00:00Z', path: '/cart', status: 200 });
