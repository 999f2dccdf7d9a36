import { readFileSync } from 'node:fs';

import { eventually, forgive, params, visit } from './browser.mjs';
import { eventsOf } from './oracle.mjs';
import { fieldsOf } from '../../main/web/model/fields.js';
import { severityOf } from '../../main/web/model/severity.js';

const unfold = (page, nth) => page.locator('.event .event-toggle').nth(nth).click();
const card = (page) => page.locator('event-card .event-fields').innerText();
const linkOf = (page) => page.locator('.event copy-button[label="Copy link"]').evaluate((button) => button.text());

/** Single events: links to them, their fields as columns, all of them as a file. */
export const EVENTS = {
  async 'a link to an event shows it, with or without its hour'({ page, baseUrl, hour }) {
    const [, second] = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}&order=asc`);
    await unfold(page, 1);
    const link = new URL(await linkOf(page));
    await visit(page, link.href);
    await eventually('event', () => card(page), (text) => text.includes(second.id) && text.includes(second.time));
    await eventually('its local time', () => card(page), (text) => text.includes('in New York (UTC−5)'));
    link.searchParams.delete('hour');
    await visit(page, link.href);
    await eventually('event', () => card(page), (text) => text.includes(second.id));
    await eventually('its hour', async () => params(page).hour, hour);
    await page.getByRole('button', { name: 'Close' }).click();
    await eventually('cards', () => page.locator('event-card').count(), 0);
    await eventually('address', async () => params(page).event ?? null, null);
  },

  async 'a link to an event that is not there says so'({ page, hour }) {
    await visit(page, `?hour=${hour}&event=10000000-0000-11f1-8000-000000000000`);
    await eventually('reason', () => page.locator('event-card .callout').innerText(), (text) => text.includes('not found') && text.includes('retention'));
    forgive(page, 404);
  },

  async 'a field becomes a column, and is put away again'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}&order=asc`);
    await unfold(page, 0);
    await page.getByRole('button', { name: 'Column data.path' }).click();
    await eventually('address', async () => params(page).column, 'data.path');
    const cells = () => page.locator('.event .event-field').allInnerTexts();
    await eventually('cells', async () => (await cells()).slice(0, 5), all.slice(0, 5).map(({ data }) => data.path));
    await page.reload();
    await eventually('cells after a reload', async () => (await cells()).slice(0, 5), all.slice(0, 5).map(({ data }) => data.path));
    await page.getByRole('button', { name: 'Remove column path' }).click();
    await eventually('cells left', () => page.locator('.event-field').count(), 0);
  },

  async 'a line leaves out what its columns say, and begins with the level'({ page, baseUrl, hour }) {
    const [first] = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}&order=asc&column=data.path`);
    const line = () => page.locator('.event-data').first().innerText();
    await eventually('level', line, (text) => text.startsWith(first.data.level));
    await eventually('fields', line, (text) => text.includes('status') && !text.includes(first.data.path));
  },

  async 'rows of errors and warnings are marked, for the eye and in words'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}&order=asc`);
    const rows = () => page.locator('.event').evaluateAll((shown) => shown.map(({ dataset }) => [Number(dataset.index), dataset.severity ?? null]));
    const expected = (shown) => shown.length > 10 && shown.every(([index, severity]) => severity === severityOf(all[index]));
    await eventually('severities', rows, (shown) => expected(shown) && new Set(shown.map(([, severity]) => severity)).size > 1);
    const marked = page.locator('.event[data-severity]').first();
    const severity = await marked.getAttribute('data-severity');
    await eventually('in words', () => marked.locator('.event-toggle').getAttribute('aria-label'), (text) => text.endsWith(`, ${severity}`));
    const painted = (row) => row.evaluate((event) => [getComputedStyle(event).backgroundImage !== 'none', getComputedStyle(event).backgroundColor]);
    const [stripe, tint] = await painted(marked);
    const plain = await painted(page.locator('.event:not([data-severity])').first());
    await eventually('stripe and tint', async () => [stripe, tint !== plain[1], plain[0]], [true, true, false]);
  },

  async 'the view is saved as a file, whole'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const found = all.filter(({ data }) => data.status >= 400);
    await visit(page, `?hour=${hour}&order=asc&column=data.path&q=${encodeURIComponent('status>=400')}`);
    const save = async (name) => {
      await page.locator('[data-name="download"] > summary').click();
      const [file] = await Promise.all([page.waitForEvent('download'), page.locator('.choice', { hasText: name }).click()]);
      return { name: file.suggestedFilename(), lines: readFileSync(await file.path(), 'utf8').trimEnd().split(/\r?\n/) };
    };
    const csv = await save('CSV');
    await eventually('name', async () => csv.name, `hourglass-${hour}.csv`);
    await eventually('columns', async () => csv.lines[0], 'id,time,type,data.path');
    await eventually('lines', async () => csv.lines.length, found.length + 1);
    await page.getByRole('button', { name: 'Remove column path' }).click();
    const table = await save('field');
    const fields = [...new Set(found.flatMap(({ data }) => [...fieldsOf([{ data }]).keys()]))].sort();
    await eventually('a column for each field', async () => table.lines[0], ['id,time,type', ...fields].join());
    await eventually('lines', async () => table.lines.length, found.length + 1);
    const ndjson = await save('JSON lines');
    await eventually('lines', async () => ndjson.lines.map((line) => JSON.parse(line).id).join() === found.map(({ id }) => id).join(), true);
  },
};
