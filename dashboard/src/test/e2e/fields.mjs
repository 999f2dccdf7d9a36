import { hasNotValue, hasValue } from '../../main/web/model/filter/field-clauses.js';
import { eventually, number, params, total, visit } from './browser.mjs';
import { eventsOf, hitsOf } from './oracle.mjs';

const field = (page, name) => page.locator(`field-list [data-field=${JSON.stringify(name)}]`);
const box = (page) => page.getByRole('combobox', { name: 'Filter' });
const shares = (page) => page.locator('field-list .field-share').allInnerTexts();

/**
 * The list of fields, the values under the pointer, statistics and the comparison: what they show is what the events of
 * the hour say.
 */
export const FIELDS = {
  async 'every field of the view is listed, found, made a column'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    await eventually('shares', () => shares(page), (all) => all.length > 3 && all.every((text) => text === '100%'));
    await page.getByRole('searchbox', { name: 'Find fields' }).fill('STAT');
    await eventually('found', () => page.locator('field-list [data-field]').allInnerTexts(), (names) => names.length === 1 && names[0].includes('status'));
    await page.getByRole('button', { name: 'Column status', exact: true }).click();
    await eventually('address', async () => params(page).column, 'data.status');
    await eventually('column', () => page.locator('.event-column-name').allInnerTexts(), (names) => names.at(-1) === 'status');
    await page.getByRole('button', { name: 'Column status', exact: true }).click();
    await eventually('put away', async () => params(page).column ?? '', '');
  },

  async 'a field shows its values, which filter'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const levels = new Map();
    for (const { data } of all) levels.set(data.level, (levels.get(data.level) ?? 0) + 1);
    const [[most, events]] = [...levels].sort((a, b) => b[1] - a[1]);
    await visit(page, `?hour=${hour}`);
    await field(page, 'data.level').click();
    await eventually('values', () => page.locator('field-values code').allInnerTexts(), (texts) => texts[0] === most && texts.length === levels.size);
    await page.getByRole('button', { name: `Not ${most}`, exact: true }).click();
    await eventually('total without', () => total(page), all.length - events);
    await eventually('values left', () => page.locator('field-values code').allInnerTexts(), (texts) => !texts.includes(most));
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByRole('button', { name: 'Missing', exact: true }).click();
    await eventually('none without the field', () => total(page), 0);
    await eventually('clause', () => box(page).inputValue(), '-_exists_:level');
    await page.getByRole('button', { name: 'Remove the filter' }).click();
    await page.getByRole('button', { name: 'Exists', exact: true }).click();
    await eventually('all have it', () => total(page), all.length);
  },

  async 'fields are asked for behind counts and events, and follow the view'({ page, hour, types }) {
    // The page before may still ask for something of its own.
    await page.goto('about:blank');
    const asked = [];
    const note = (request) => asked.push(/api\/v1\/(\w+)/.exec(request.url())?.[1]);
    page.on('request', note);
    await visit(page, `?hour=${hour}&type=${encodeURIComponent(types[0])}`);
    await eventually('asked', async () => asked.includes('fields'), true);
    page.off('request', note);
    if (asked.indexOf('fields') < Math.max(asked.indexOf('hits'), asked.indexOf('events'))) throw new Error(`fields before the others: ${asked}`);
    await eventually('one type', async () => (await field(page, 'data.type').click(), page.locator('field-values code').allInnerTexts()), [types[0]]);
  },

  async 'a type is left out'({ page, baseUrl, hour, types }) {
    const all = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}`);
    await page.getByRole('button', { name: `Exclude ${types[0]}`, exact: true }).click();
    await eventually('total', () => total(page), all.filter(({ type }) => type !== types[0]).length);
    await eventually('clause', async () => params(page).q, hasNotValue('type', types[0]));
  },

  async 'a value under the pointer filters and is copied'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await visit(page, `?hour=${hour}&order=asc`);
    const { status, path } = all[0].data;
    await page.locator('.event').first().locator('[data-name="data.path"]').hover();
    await page.locator('.value-tools').getByRole('button', { name: 'Copy the value' }).click();
    await eventually('clipboard', () => page.evaluate(() => navigator.clipboard.readText()), path);
    await page.locator('.event').first().locator('[data-name="data.status"]').hover();
    await page.locator('.value-tools').getByRole('button', { name: `Only status ${status}` }).click();
    await eventually('total', () => total(page), all.filter(({ data }) => data.status === status).length);
    await page.locator('.event-toggle').first().click();
    await page.locator('event-fields').getByRole('button', { name: `Not data.path ${path}`, exact: true }).click();
    await eventually('total of both', () => total(page), all.filter(({ data }) => data.status === status && data.path !== path).length);
  },

  async 'what was searched is marked'({ page, baseUrl, hour }) {
    const { data } = (await eventsOf(baseUrl, hour))[0];
    const text = data.path.split('/')[1].toUpperCase();
    await visit(page, `?hour=${hour}&order=asc&q=${encodeURIComponent(`"${text}" status:=${data.status}`)}`);
    const marks = () => page.locator('.event').first().locator('mark').allInnerTexts();
    await eventually('marks', marks, (all) => all.includes(text.toLowerCase()) && all.includes(String(data.status)));
    await page.locator('.event-toggle').first().click();
    await eventually('unfolded', () => page.locator('event-fields mark').allInnerTexts(), (all) => all.includes(String(data.status)));
  },

  async 'numbers are a histogram with quantiles, whose bars filter'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}&show=fields&field=data.ms`);
    const bars = page.locator('.histogram-bar');
    const counted = async () => (await bars.evaluateAll((found) => found.map((bar) => bar.title))).map((title) => number(title.split(': ')[1]));
    await eventually('all are counted', async () => (await counted()).reduce((a, b) => a + b, 0), all.length);
    await eventually('quantiles', () => page.locator('.histogram-mark').allInnerTexts(), (texts) => texts.map((text) => text.split(' ')[0]).join() === 'p50,p90,p99');
    const counts = await counted();
    const most = counts.indexOf(Math.max(...counts));
    await bars.nth(most).click();
    await eventually('total of a bar', () => total(page), counts[most]);
    await eventually('range', async () => params(page).q, (q) => /^ms:(\[\S+ TO \S+\}|\S+\.\.\S+|=\S+)$/.test(q));
  },

  async 'the selection is compared with the rest'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const q = 'status>=500';
    const selected = all.filter(({ data }) => data.status >= 500);
    await visit(page, `?hour=${hour}&show=compare`);
    await eventually('nothing selected', () => page.locator('compare-panel').innerText(), (text) => text.includes('Nothing is selected yet'));
    await visit(page, `?hour=${hour}&show=compare&q=${encodeURIComponent(q)}`);
    const facts = () => page.locator('compare-panel .field-facts').innerText();
    await eventually('both sizes', facts, (text) => text.includes(selected.length.toLocaleString('en')) && text.includes((all.length - selected.length).toLocaleString('en')));
    await eventually('the filter last', () => page.locator('.compared-field').last().innerText(), (text) => text.includes('status') && text.includes('in the filter'));
    const first = page.locator('.compared-field').first();
    const name = await first.getAttribute('aria-label');
    const value = await first.locator('code').first().innerText();
    const clause = hasValue(name, value);
    await first.getByRole('button', { name: `Only ${value}`, exact: true }).click();
    await eventually('clause', async () => params(page).q, `${q} ${clause}`);
    await eventually('total', () => total(page), await hitsOf(baseUrl, { hour, q: `${q} ${clause}` }));
  },
};
