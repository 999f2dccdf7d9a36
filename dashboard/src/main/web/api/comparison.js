import { comparable, comparedNumbers, comparedValues, ranked, tellsAll } from '../model/compare.js';

/** Values that are asked for where the few of /fields do not tell all. */
const VALUES = 500;

/** Fields that are asked for at the same time. */
const AT_ONCE = 2;

/**
 * Compares the events of a selection with the rest of the same range.
 *
 * @param {import('./client.js').Client} client
 * @param query the selection, as parameters
 * @param base all events, as parameters
 * @param {Set<string>} named fields that the filter itself names
 * @returns {Promise<{events: {selected: number, all: number}, fields: object[], numbers: object[], sampled: number | undefined}>}
 */
export async function compare(client, query, base, named, signal) {
  const [selected, all] = await Promise.all([client.fields(query, signal), client.fields(base, signal)]);
  const events = { selected: selected.events, all: all.events };
  const fields = [];
  const numbers = [];
  const tasks = [() => typesOf(client, query, base, signal).then((types) => fields.push(comparedValues(types, events)))];
  for (const field of comparable(selected, all)) {
    tasks.push(() =>
      field.isNumber
        ? numbersOf(client, query, base, field, signal).then((found) => found && numbers.push(found))
        : valuesOf(client, query, base, field, signal).then((found) => fields.push(comparedValues(found, events))),
    );
  }
  const work = async () => {
    for (let task = tasks.shift(); task; task = tasks.shift()) await task();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { events, fields: ranked(fields, named), numbers: ranked(numbers, named), sampled: all.sampled ?? selected.sampled };
}

async function typesOf(client, query, base, signal) {
  const [selected, all] = await Promise.all([query, base].map((asked) => client.types(asked, signal)));
  const values = ({ types }) => types.map(({ type, count }) => ({ value: type, count }));
  return { name: 'type', selected: values(selected), all: values(all) };
}

async function valuesOf(client, query, base, { name, selected, all }, signal) {
  if (tellsAll(selected) && tellsAll(all)) return { name, selected: selected?.values ?? [], all: all?.values ?? [] };
  const values = async (asked) => (await client.top({ ...asked, field: name, n: VALUES }, signal)).values;
  return { name, selected: await values(query), all: await values(base) };
}

async function numbersOf(client, query, base, { name }, signal) {
  const figures = async (asked) => (await client.stats({ ...asked, field: name }, signal)).series[0];
  const [selected, all] = [await figures(query), await figures(base)];
  return selected?.count > 0 && all?.count > 0 ? comparedNumbers(name, selected, all) : null;
}
