import { accessible, eventually, forgive, number, params, total, visit } from './browser.mjs';
import { eventsOf, hitsOf } from './oracle.mjs';
import { canFilter, exists, existsNot, having, without } from '../../main/web/model/filter/field-clauses.js';
import { fieldName } from '../../main/web/model/fields.js';

const box = (page) => page.getByRole('combobox', { name: 'Filter' });
const meaning = (page) => page.getByTestId('meaning').innerText();
const enter = async (page, q) => {
  await box(page).fill(q);
  await box(page).press('Enter');
};
const search = (page) => page.getByRole('button', { name: 'Search', exact: true }).click();
const remove = (page) => page.getByRole('button', { name: 'Remove the filter' }).click();
const clear = (page) => page.getByRole('button', { name: 'Clear', exact: true }).click();

const typeCounts = async (page) => {
  const counts = await page.locator('type-picker [data-type] .type-count').allInnerTexts();
  return counts.map(number).reduce((a, b) => a + b, 0);
};

/** What is asked of a field of the first event: its values become the filter. */
const ask = async (page, field, answer) => {
  await page.locator('.event .event-toggle').first().click();
  await page.locator('event-fields').getByRole('button', { name: new RegExp(`^${answer} ${field} `) }).first().click();
};

/** Filters: what the page then shows is what the events of the hour say. */
export const SEARCHES = {
  async 'a text filters chart, counts, types and events, in any case'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const text = all[7].data.path.toUpperCase();
    const words = new RegExp(`\\b${text.match(/\w+/g).join('\\W+')}\\b`, 'i');
    const found = all.filter((event) => words.test(event.text));
    await visit(page, `?hour=${hour}&order=asc`);
    await enter(page, text);
    await eventually('total', () => total(page), found.length);
    await eventually('address', async () => params(page).q, text);
    await eventually('meaning', () => meaning(page), (said) => said.includes('anywhere, in any case'));
    await eventually('types', () => typeCounts(page), found.length);
    await eventually('first event', () => page.locator('.event-data').first().innerText(), (shown) => shown.includes(found[0].data.path));
    await page.reload();
    await eventually('the field after a reload', () => box(page).inputValue(), text);
    await eventually('total after a reload', () => total(page), found.length);
  },

  async 'an expression filters, with a type'({ page, baseUrl, hour, types }) {
    const all = await eventsOf(baseUrl, hour);
    const slow = all.filter(({ data }) => data.status >= 400 && data.path?.startsWith('/'));
    await visit(page, `?hour=${hour}&order=asc`);
    await enter(page, 'data.status >= 400 && data.path.startsWith("/")');
    await eventually('total', () => total(page), slow.length);
    await eventually('types', () => typeCounts(page), slow.length);
    await page.locator(`type-picker [data-type=${JSON.stringify(types[0])}]`).click();
    await eventually('total of a type', () => total(page), slow.filter(({ type }) => type === types[0]).length);
    await eventually('types stay', () => typeCounts(page), slow.length);
    await page.goBack();
    await eventually('total after Back', () => total(page), slow.length);
    await clear(page);
    await eventually('total of all', () => total(page), all.length);
    await eventually('the field', () => box(page).inputValue(), '');
  },

  async 'the box says what a filter means, while it is written and after the search'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const { status, path } = all[7].data;
    const others = all.filter(({ data }) => data.status === status && data.path !== path && data.path.startsWith('/api/'));
    await visit(page, `?hour=${hour}`);
    const typed = `status:=${status} path:/api/* -path:="${path}"`;
    await box(page).fill(typed);
    const where = `data.path != ${JSON.stringify(path)}`;
    await eventually('meaning', () => meaning(page), (text) => text.includes(where));
    await search(page);
    await eventually('address', async () => params(page).q, typed);
    await eventually('total', () => total(page), others.length);
    await eventually('meaning still', () => meaning(page), (text) => text.includes(where));
    await clear(page);
    await eventually('total of all', () => total(page), all.length);
    await page.goBack();
    await eventually('as it was typed', () => box(page).inputValue(), typed);
  },

  async 'the id of an event leads to it, wherever it is in time'({ page, baseUrl, hour }) {
    const { id, type } = (await eventsOf(baseUrl, hour))[7];
    await visit(page, '?hour=2001-01-01T05');
    await enter(page, ` ${id} `);
    await eventually('address', async () => [params(page).hour, params(page).event, params(page).of, params(page).q ?? null], [hour, id, type, null]);
    await eventually('the event', () => page.locator('event-card').innerText(), (text) => text.includes(id));
  },

  async 'fields, values and types are proposed and taken by keys'({ page, hour, types }) {
    const options = () => page.locator('#filter-proposals').getByRole('option').allInnerTexts().then((texts) => texts.map((text) => text.split('\n')[1]));
    await visit(page, `?hour=${hour}`);
    await box(page).pressSequentially('stat');
    await eventually('fields', options, (texts) => texts[0] === 'status:');
    await box(page).press('ArrowDown');
    await eventually('the active one', () => box(page).getAttribute('aria-activedescendant'), 'proposal-0');
    await box(page).press('Enter');
    await eventually('the field', () => box(page).inputValue(), 'status:');
    await eventually('values', options, (texts) => texts.includes('404'));
    await box(page).pressSequentially('40');
    await eventually('values that begin so', options, (texts) => texts.length > 0 && texts.every((text) => text.startsWith('40')));
    await box(page).press('ArrowDown');
    await box(page).press('Tab');
    await eventually('a value', () => box(page).inputValue(), (text) => /^status:40\d$/.test(text));
    await box(page).pressSequentially(` ${types[0].slice(0, 3)}`);
    await eventually('types', options, (texts) => texts.includes(`type:${types[0]}`));
    await box(page).press('Escape');
    await eventually('closed', () => box(page).getAttribute('aria-expanded'), 'false');
    await box(page).fill('data.status =');
    await eventually('operators', options, (texts) => texts.includes('=='));
  },

  async 'what was meant is said, and taken by a click'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const { status } = all[7].data;
    await visit(page, `?hour=${hour}`);
    await enter(page, `data.status = ${status} and has(data.path)`);
    await eventually('advice', () => page.locator('.search-fix').innerText(), (text) => text.includes(`data.status == ${status} && has(data.path)`));
    await page.getByRole('button', { name: 'Use that' }).click();
    await eventually('total', () => total(page), all.filter(({ data }) => data.status === status).length);
    await box(page).fill('stauts:500');
    await eventually('a slip', () => meaning(page), (text) => text.includes('Did you mean status?'));
    await page.getByRole('button', { name: 'Use that' }).click();
    await eventually('mended', () => box(page).inputValue(), 'status:500');
    await eventually('address', async () => params(page).q, 'status:500');
    forgive(page, 400);
  },

  async 'what cannot be read is refused at the box, and the view stays'({ page, hour, events }) {
    await visit(page, `?hour=${hour}&order=asc`);
    await enter(page, 'status:500 ms>500ms');
    const refusal = () => page.locator('.search-refusal').innerText();
    await eventually('why', refusal, (text) => text.includes('"500ms" is no number; write it without unit'));
    await eventually('where', () => page.locator('.search-refusal mark').innerText(), '500ms');
    await eventually('said once', () => page.getByRole('alert').count(), 1);
    await eventually('at the box', () => box(page).getAttribute('aria-invalid'), 'true');
    await eventually('what was shown', async () => [await total(page), params(page).q ?? null], [events, null]);
    await accessible(page, 'a filter that cannot be read');
    await box(page).press('Home');
    await box(page).press('Delete');
    await eventually('calm again', () => page.getByRole('alert').count(), 0);
    await clear(page);
    await eventually('refusals left', () => page.locator('.search-refusal').count(), 0);
    forgive(page, 400);
  },

  async 'a link with a slip shows the slip, and mends it by a click'({ page, hour, events }) {
    await visit(page, `?hour=${hour}&q=${encodeURIComponent('status: 500')}`);
    await eventually('total without it', () => total(page), events);
    await eventually('why', () => page.locator('.search-refusal').innerText(), (text) => text.includes('no blank stands after the colon'));
    await page.getByRole('button', { name: 'Use that' }).click();
    await eventually('address', async () => params(page).q, 'status:500');
    await eventually('refusals left', () => page.locator('.search-refusal').count(), 0);
    forgive(page, 400);
  },

  async 'no match offers what may be meant, with counts, a click away'({ page, baseUrl, hour, events, types }) {
    const all = await eventsOf(baseUrl, hour);
    const offers = () => page.locator('.offers li').allInnerTexts().then((texts) => texts.map((text) => text.replaceAll('\n', ' ')));
    const callout = () => page.locator('.callout').first().innerText();
    const looked = () => eventually('all is asked', () => page.locator('zero-results [role="status"]').count(), 0);
    await visit(page, `?hour=${hour}&q=${encodeURIComponent('status:12345 path:*')}`);
    await eventually('reason', callout, (text) => text.includes('No event matches the filter') && text.includes('status:12345 path:*'));
    await eventually('others', callout, (text) => text.includes(`${events.toLocaleString('en')} event`));
    await eventually('without a part', offers, (texts) => texts.some((text) => text.includes('without status:12345') && text.includes(`${all.length.toLocaleString('en')} events`)));
    await looked();
    await accessible(page, 'offers');

    const { level } = all.find(({ data }) => data.level).data;
    await visit(page, `?hour=${hour}&q=${encodeURIComponent(`level:=${level.toUpperCase()}`)}`);
    const same = all.filter(({ data }) => data.level === level).length;
    await eventually('in any case', offers, (texts) => texts.some((text) => text.includes('in any case') && text.includes(same.toLocaleString('en'))));
    await visit(page, `?hour=${hour}&q=${encodeURIComponent(`level:${level.slice(0, 1)}${level.slice(2)}`)}`);
    await page.getByRole('button', { name: `with level:=${level}` }).click();
    await eventually('the nearest value', async () => [params(page).q, await total(page)], [`level:=${level}`, same]);

    await visit(page, `?hour=${hour}&q=${encodeURIComponent('stauts>0')}`);
    await eventually('the field', callout, (text) => text.includes('No event of this hour has stauts'));
    await page.getByRole('button', { name: 'with status for stauts' }).click();
    await eventually('the nearest field', async () => params(page).q, 'status>0');

    await visit(page, `?hour=2001-01-01T05&q=${encodeURIComponent(`id:=${all[3].id}`)}`);
    await page.getByRole('button', { name: 'in the hour of the newest one' }).click();
    await eventually('another time', async () => [params(page).hour, await total(page)], [hour, 1]);

    const { type, id } = all.find((event) => event.type !== types[0]);
    await visit(page, `?hour=${hour}&type=${encodeURIComponent(types[0])}&q=${encodeURIComponent(`id:=${id}`)}`);
    await page.getByRole('button', { name: `in type ${type}` }).click();
    await eventually('another type', async () => [params(page).type, await total(page)], [type, 1]);

    await visit(page, `?hour=${hour}&q=nothinghasthisinit`);
    await looked();
    await eventually('no offer', callout, (text) => text.includes('Nothing like it was found') && text.includes('How filters are written'));
    await remove(page);
    await eventually('total', () => total(page), events);
  },

  async 'a click on a value filters by it, or leaves it out'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const { status } = all[0].data;
    const same = all.filter(({ data }) => data.status === status).length;
    await visit(page, `?hour=${hour}&order=asc`);
    await ask(page, 'data.status', 'Only');
    await eventually('total', () => total(page), same);
    await eventually('the field', () => box(page).inputValue(), `status:=${status}`);
    await ask(page, 'data.path', 'Not');
    const others = all.filter(({ data }) => data.status === status && data.path !== all[0].data.path).length;
    await eventually('total of both clauses', () => total(page), others);
    await clear(page);
    await ask(page, 'data.status', 'Not');
    await eventually('total without', () => total(page), all.length - same);
  },

  async 'an example finds something'({ page, hour, events }) {
    await visit(page, `?hour=${hour}&order=asc`);
    await eventually('total', () => total(page), events);
    await page.locator('[data-name="search-help"] > summary').click();
    const example = page.locator('.example').filter({ hasText: '>=' }).first();
    const text = await example.innerText();
    await example.click();
    await eventually('the field', () => box(page).inputValue(), text);
    await search(page);
    await eventually('address', async () => params(page).q, text);
    await eventually('total', () => total(page), (n) => n > 0 && n <= events);
  },

  async 'a clause of a click is read as it was meant, whatever the value and the name'({ baseUrl }) {
    const type = `care.${Date.now()}`; // of this run alone
    const event = (value, name, i) => ({ type, time: `${CARE_HOUR}:00:${String(i).padStart(2, '0')}.000Z`, [name]: value, n: i });
    const events = [...CARE.map((value, i) => event(value, 'value', i)), ...NAMES.map((name, i) => ({ type, time: `${CARE_HOUR}:01:${String(i).padStart(2, '0')}.000Z`, [name]: 'here', n: 100 + i }))];
    await fetch(new URL('api/v1/events', baseUrl), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(events) });
    const count = (q) => hitsOf(baseUrl, { hour: CARE_HOUR, type, q });
    await eventually('events', () => count(''), events.length);
    const wrong = [];
    const expect = async (q, n) => {
      const found = await count(q).catch((e) => e.message);
      if (found !== n) wrong.push(`${q}: ${found}, not ${n}`);
    };
    for (const value of CARE) {
      await expect(having(['value'], value), 1);
      await expect(without(['value'], value), events.length - 1);
    }
    for (const name of NAMES) {
      await expect(having([name], 'here'), 1);
      await expect(existsNot(`data.${name}`), events.length - 1);
      const joined = await (await fetch(new URL(`api/v1/filter?${new URLSearchParams({ q: 'n>=0', and: having([name], 'here') })}`, baseUrl))).json();
      await expect(joined.q, 1);
    }
    return eventually('clauses', async () => wrong, []);
  },

  async 'every value of odd events makes a filter that means it'({ baseUrl, odd, log }) {
    if (!odd) return log('    not asked for: --odd names no hour');
    const all = await eventsOf(baseUrl, odd);
    let leaves = 0;
    for (const { path, value } of all.flatMap(({ data }) => leavesOf(data))) {
      if (!canFilter(path, value)) throw new Error(`no clause for ${JSON.stringify(path)}`);
      const counts = [];
      const clauses = [having(path, value), without(path, value)];
      for (const clause of clauses) counts.push(await hitsOf(baseUrl, { hour: odd, q: clause }));
      const expected = all.filter(({ data }) => hasThere(data, path, String(value))).length;
      const meant = clauses.map((_, i) => (i % 2 === 0 ? expected : all.length - expected));
      if (String(counts) !== String(meant)) throw new Error(`${JSON.stringify(path)}: ${counts} of ${all.length}, expected ${meant}: ${clauses.join('; ')}`);
      leaves++;
    }
    const names = new Map(all.flatMap(({ data }) => leavesOf(data)).map(({ path }) => [fieldName(path), path]).filter(([name]) => name !== null));
    for (const [name, path] of names) {
      const there = all.filter(({ data }) => isThere(data, path)).length;
      const counts = [await hitsOf(baseUrl, { hour: odd, q: exists(name) }), await hitsOf(baseUrl, { hour: odd, q: existsNot(name) })];
      if (String(counts) !== String([there, all.length - there])) throw new Error(`${name}: ${counts} of ${all.length}, expected ${there}`);
    }
    log(`    ${leaves} values of ${all.length} events`);
    return eventually('values', async () => leaves, (n) => n > 10);
  },
};

const isNested = (value) => value !== null && typeof value === 'object' && !('digits' in value);

/** A browser keeps the digits of long numbers, an old Node does not. */
const isExact = (value) => typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value);

function leavesOf(value, path = []) {
  if (!isNested(value)) return isExact(value) ? [{ path, value }] : [];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, Array.isArray(value) ? Number(name) : name]));
}

/**
 * Whether a value stands at the path, indexes standing for any; by their text, which no two values of odd events share.
 */
function hasThere(value, [part, ...rest], text) {
  if (part === undefined) return !isNested(value) && String(value) === text;
  if (typeof part === 'number') return Array.isArray(value) && value.some((inner) => hasThere(inner, rest, text));
  return isNested(value) && !Array.isArray(value) && Object.hasOwn(value, part) && hasThere(value[part], rest, text);
}

const isThere = (value, [part, ...rest]) => part === undefined || (isNested(value) && Object.hasOwn(value, part) && isThere(value[part], rest));

/** Values that are read as meant only if the clause is written with care. */
const CARE = [
  'say "hi" \\ "', 'a b', ' edge ', 'a:b', 'status:500', '10:30:00', 'http://web/a?b=1', 'ü 😀 ß', '*', 'a*b', '', '500', '-5', '1e3', 'true', 'null', 'AND', 'or', 'NOT x', '(a)', 'a) b', '[1 TO 2]', '1..5', '>5', '=x', '~x', "it's", "'q'",
  'a,b', '{x}', '| stats', '!x', '-x', '+x', '\\d+', 'x\ty', 'two\nlines', '8a2f6c10-c5e5-11f0-9d3a-0242ac120002', '2026-11-20T08:30:00Z', 'data.x', '`tick`', '@', '/', '//x',
];
const NAMES = ['plain', 'user-agent', 'a b', 'a:b', 'größe', 'or', 'in', 'select', 'x(y)', '-x', 'q"x', '1st', '$ref', '@timestamp2', 'trailing-', '_exists_', 'id'];
const CARE_HOUR = '2026-11-15T08';
