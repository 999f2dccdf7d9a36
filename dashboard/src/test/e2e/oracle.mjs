import { parseExact } from '../../main/web/api/exact-json.js';

/** Hours that were read: nothing comes to them while the page is driven. */
const read = new Map();

/**
 * All events of an hour in time order, each with its payload's bytes as `text`: what the page shows is compared with
 * these.
 */
export function eventsOf(baseUrl, hour) {
  const key = `${baseUrl} ${hour}`;
  if (!read.has(key)) read.set(key, readAll(baseUrl, hour));
  return read.get(key);
}

async function readAll(baseUrl, hour) {
  const ask = async (format) => {
    const response = await fetch(new URL(`api/v1/events?hour=${hour}&limit=all&format=${format}`, baseUrl));
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
    return (await response.text()).split('\n').filter((line) => line !== '');
  };
  const [events, payloads] = await Promise.all([ask('ndjson'), ask('raw')]);
  return events.map((line, i) => ({ ...parseExact(line), text: payloads[i] }));
}

/** How many events the server counts, of one hour or more. */
export async function hitsOf(baseUrl, query) {
  const response = await fetch(new URL(`api/v1/hits?${new URLSearchParams(query)}`, baseUrl));
  const answer = await response.json();
  if (!response.ok) throw new Error(`${JSON.stringify(query)}: ${answer.detail}`);
  return answer.total;
}
