import { eventually, forgive, number, params, total, visit } from './browser.mjs';
import { eventsOf, hitsOf } from './oracle.mjs';
import { canFilter, having, without } from '../../main/web/model/filter/cel.js';
import { asWord, canWord } from '../../main/web/model/filter/completion.js';
import { canRefer } from '../../main/web/model/filter/field-reference.js';
import { fieldName } from '../../main/web/model/fields.js';
import { meaningOf } from '../../main/web/model/filter/filter-language.js';
import { quotedText } from '../../main/web/model/filter/filter-words.js';

const box = (page) => page.getByRole('combobox', { name: 'Filter' });
const meaning = (page) => page.getByTestId('meaning').innerText();
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
  await page.getByRole('button', { name: `Filter by ${field}` }).first().click();
  await page.getByRole('button', { name: answer }).click();
};

/** Filters: what the page then shows is what the events of the hour say. */
export const SEARCHES = {
  async 'a text filters chart, counts, types and events'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const text = `${all[7].data.path}"`;
    const found = all.filter((event) => event.text.includes(text));
    await visit(page, `?hour=${hour}&order=asc`);
    await box(page).fill(text);
    await box(page).press('Enter');
    await eventually('total', () => total(page), found.length);
    await eventually('address', async () => params(page).contains, text);
    await eventually('types', () => typeCounts(page), found.length);
    await eventually('first event', () => page.locator('.event-data').first().innerText(), (shown) => shown.includes(found[0].data.path));
    await page.reload();
    await eventually('the field after a reload', () => box(page).inputValue(), text);
    await eventually('total after a reload', () => total(page), found.length);
  },

  async 'an expression filters, with a text and a type'({ page, baseUrl, hour, types }) {
    const all = await eventsOf(baseUrl, hour);
    const slow = all.filter(({ data }) => data.status >= 400 && data.path?.startsWith('/'));
    await visit(page, `?hour=${hour}&order=asc`);
    await box(page).fill('data.status >= 400 && data.path.startsWith("/")');
    await box(page).press('Enter');
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

  async 'simple words mean CEL, shown before and after the search'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const { status, path } = all[7].data;
    const others = all.filter(({ data }) => data.status === status && data.path !== path && data.path.startsWith('/api/'));
    await visit(page, `?hour=${hour}`);
    await box(page).fill(`status:${status} path:/api/* -path:${path}`);
    const where = `data.status == ${status} && data.path.startsWith("/api/") && (!has(data.path) || data.path != ${JSON.stringify(path)})`;
    await eventually('meaning', () => meaning(page), (text) => text.includes(where));
    await search(page);
    await eventually('address', async () => params(page).where, where);
    await eventually('total', () => total(page), others.length);
    await eventually('meaning still', () => meaning(page), (text) => text.includes(where));
    const typed = await box(page).inputValue();
    await clear(page);
    await eventually('total of all', () => total(page), all.length);
    await page.goBack();
    await eventually('as it was typed', () => box(page).inputValue(), typed);
  },

  async 'a text is found in any case on demand'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const text = all[7].data.path.toUpperCase();
    const found = all.filter((event) => event.text.toUpperCase().includes(text)).length;
    await visit(page, `?hour=${hour}&contains=${encodeURIComponent(text)}`);
    await eventually('none as it is written', () => page.locator('.callout').first().innerText(), (said) => said.includes('No event matches'));
    await page.getByRole('button', { name: 'Ignore case' }).click();
    await eventually('total', () => total(page), found);
    await eventually('address', async () => params(page).icase, 'true');
    await page.reload();
    await eventually('after a reload', () => page.getByRole('button', { name: 'Ignore case' }).getAttribute('aria-pressed'), 'true');
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
    await box(page).fill(`data.status = ${status}`);
    await search(page);
    await eventually('advice', () => page.locator('.search-refusal').innerText(), (text) => text.includes('Use == to compare'));
    await page.getByRole('button', { name: 'Use that' }).click();
    await eventually('total', () => total(page), all.filter(({ data }) => data.status === status).length);
    await box(page).fill('stauts:500');
    await eventually('a slip', () => meaning(page), (text) => text.includes('Did you mean data.status?'));
    await page.getByRole('button', { name: 'Use that' }).click();
    await eventually('mended', () => box(page).inputValue(), 'status:500');
    await box(page).fill('"one" "two"');
    await search(page);
    await eventually('refused', () => page.getByRole('alert').innerText(), (text) => text.includes('Only one text can be searched'));
    forgive(page, 400);
  },

  async 'an expression that cannot be read is refused where it was written'({ page, hour, events }) {
    const expression = 'data.status >= 400 && datta.x == 1';
    await visit(page, `?hour=${hour}&order=asc`);
    await box(page).fill(expression);
    await search(page);
    const refusal = () => page.locator('.search-refusal').innerText();
    await eventually('position', refusal, (text) => text.includes(`column ${expression.indexOf('datta') + 1}`));
    await eventually('the word', () => page.locator('.search-refusal mark').innerText(), 'datta');
    await eventually('said once', () => page.getByRole('alert').count(), 1);
    await eventually('what was shown', () => total(page), events);
    await eventually('chart and events', async () => [await page.locator('hits-chart canvas').count(), await page.locator('.event').count() > 0], [1, true]);
    await eventually('said of it', refusal, (text) => text.includes('still shown'));
    await page.reload();
    await eventually('position after a reload', refusal, (text) => text.includes(`column ${expression.indexOf('datta') + 1}`));
    await remove(page);
    await eventually('total', () => total(page), events);
    await eventually('refusals left', () => page.locator('.search-refusal').count(), 0);
    forgive(page, 400);
  },

  async 'no match says so, and leads back'({ page, hour, events }) {
    await visit(page, `?hour=${hour}&where=${encodeURIComponent('data.status == 12345')}`);
    const callout = () => page.locator('.callout').first().innerText();
    await eventually('reason', callout, (text) => text.includes('No event matches the filter') && text.includes('data.status == 12345'));
    await eventually('others', callout, (text) => text.includes(`${events.toLocaleString('en')} event`));
    await remove(page);
    await eventually('total', () => total(page), events);
  },

  async 'a field that no event has is named, with the nearest'({ page, hour }) {
    await visit(page, `?hour=${hour}&where=${encodeURIComponent('data.stauts == 12345 && data.path != ""')}`);
    const missing = () => page.locator('missing-fields').innerText();
    await eventually('the field', missing, (text) => text.includes('No event of this hour has data.stauts') && !text.includes('has data.path'));
    await page.locator('missing-fields').getByRole('button', { name: 'status', exact: true }).click();
    await eventually('address', async () => params(page).where, 'data.status == 12345 && data.path != ""');
    await eventually('nothing missing', missing, '');
  },

  async 'a click on a value filters by it, or leaves it out'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const { status } = all[0].data;
    const same = all.filter(({ data }) => data.status === status).length;
    await visit(page, `?hour=${hour}&order=asc`);
    await ask(page, 'data.status', 'Only these');
    await eventually('total', () => total(page), same);
    await eventually('the field', () => box(page).inputValue(), `data.status == ${status}`);
    await ask(page, 'data.path', 'Not these');
    const others = all.filter(({ data }) => data.status === status && data.path !== all[0].data.path).length;
    await eventually('total of both clauses', () => total(page), others);
    await clear(page);
    await ask(page, 'data.status', 'Not these');
    await eventually('total without', () => total(page), all.length - same);
  },

  async 'an example finds something'({ page, hour, events }) {
    await visit(page, `?hour=${hour}&order=asc`);
    await eventually('total', () => total(page), events);
    await page.locator('[data-name="search-help"] > summary').click();
    const example = page.locator('.example').filter({ hasText: '>= ' }).first();
    const text = await example.innerText();
    await example.click();
    await eventually('the field', () => box(page).inputValue(), text);
    await search(page);
    await eventually('address', async () => params(page).where, text);
    await eventually('total', () => total(page), (n) => n > 0 && n <= events);
  },

  async 'every value of odd events makes a filter that means it'({ baseUrl, odd, log }) {
    if (!odd) return log('    not asked for: --odd names no hour');
    const all = await eventsOf(baseUrl, odd);
    const { fields } = await (await fetch(new URL(`api/v1/fields?hour=${odd}`, baseUrl))).json();
    const known = new Map(fields.map((field) => [field.field, field]));
    let leaves = 0;
    for (const { path, value } of all.flatMap(({ data }) => leavesOf(data))) {
      if (!canFilter(path, value)) throw new Error(`no clause for ${JSON.stringify(path)}`);
      const counts = [];
      const clauses = [having(path, value), without(path, value), ...wordsFor(path, value, known)];
      for (const clause of clauses) counts.push(await hitsOf(baseUrl, { hour: odd, where: clause }));
      const expected = all.filter(({ data }) => hasThere(data, path, String(value))).length;
      const meant = clauses.map((_, i) => (i % 2 === 0 ? expected : all.length - expected));
      if (String(counts) !== String(meant)) throw new Error(`${JSON.stringify(path)}: ${counts} of ${all.length}, expected ${meant}: ${clauses.join('; ')}`);
      leaves++;
    }
    log(`    ${leaves} values of ${all.length} events`);
    return eventually('values', async () => leaves, (n) => n > 10);
  },
};

/** The clauses of `name:value` and `-name:value`; none within lists, and for what simple words cannot say. */
function wordsFor(path, value, known) {
  const name = fieldName(path);
  if (name === null || !canRefer(name) || !canWord(value)) return [];
  const words = `${quotedText(name)}:${asWord(value)}`;
  return [words, `-${words}`].map((text) => meaningOf(text, known).filter.where);
}

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
