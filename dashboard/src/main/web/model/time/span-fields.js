import { fieldMillis } from './local-time.js';
import { FIRST_MILLIS, LAST_MILLIS, spanOf } from './range.js';

const NO_TIME = 'is no time: write it as 2026-11-20 08:05:00';
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?))?$/;

/**
 * The span that two fields name, as clocks in a zone have it.
 *
 * @returns {{span: object} | {wrong: string}} what is wrong with them, in words, where they name none
 */
export function spanOfFields(from, to, zone) {
  const texts = [from, to];
  const [fromMillis, toMillis] = texts.map((text) => timeOf(text, zone));
  const noTime = [fromMillis, toMillis].indexOf(null);
  if (noTime >= 0) return { wrong: `“${texts[noTime]}” ${NO_TIME}.` };
  if (fromMillis >= toMillis) return { wrong: '“To” has to be later than “From”.' };
  const beyond = fromMillis < FIRST_MILLIS ? from : toMillis > LAST_MILLIS ? to : null;
  return beyond === null ? { span: spanOf(fromMillis, toMillis) } : { wrong: `“${beyond}” is not within the years 2000 to 2099.` };
}

/** `2026-11-20 08:05`, with seconds or none, or a day for its midnight; null for anything else. */
function timeOf(text, zone) {
  const [, day, clock = '00:00'] = TIME.exec(text.trim()) ?? [];
  return day === undefined ? null : fieldMillis(`${day}T${clock}`, zone);
}
