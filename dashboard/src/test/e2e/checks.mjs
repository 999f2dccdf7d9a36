import { gzipSync } from 'node:zlib';

import { fieldsOfEvent } from '../../main/web/model/event-fields.js';
import { accessible, eventually, number, open, params, total, visit } from './browser.mjs';

/** The page whole and compressed may weigh this much. */
const WEIGHT_MAX_BYTES = 150 * 1024;

/** Rows in the document at a time, however many events there are. */
const ROWS_IN_PAGE_MAX = 150;

const hourAt = (hour, step) => new Date(Date.parse(`${hour}:00:00Z`) + step * 3_600_000).toISOString().slice(0, 13);
const rowsIn = (page) => page.locator('event-table .event');
const times = (page) => page.locator('.event .event-toggle').allInnerTexts();

/** Each: what holds, and how that is seen. They run in order, on one page. */
export const CHECKS = {
  async 'a deep link shows the hour'({ page, hour, events }) {
    await visit(page, `?hour=${hour}`);
    await eventually('total', () => total(page), events);
    await eventually('heading', () => page.locator('h1').innerText(), (text) => text.includes(`${hour.slice(11)}:00–`) && text.endsWith('UTC'));
    await eventually('title', () => page.title(), (text) => text.includes('Hourglass') && text.includes('UTC'));
    await eventually('health', () => page.locator('health-badge').innerText(), (text) => text.includes('Ready'));
  },

  async 'sixteen events are seen at once, and on a phone the list begins on the first screen'({ page, browser, baseUrl, hour }) {
    const seen = () => page.locator('.event').evaluateAll((all) => {
      const boxes = all.map((event) => event.getBoundingClientRect());
      return { first: boxes[0].top, whole: boxes.filter(({ bottom }) => bottom <= innerHeight).length };
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await eventually('on a desk', seen, ({ first, whole }) => first <= 420 && whole >= 16);
    await page.getByRole('button', { name: 'Comfortable' }).click();
    const height = () => page.locator('.event').first().evaluate((event) => event.offsetHeight);
    await eventually('height of a row', height, (pixels) => pixels >= 36);
    await page.reload();
    await eventually('height of a row after a reload', height, (pixels) => pixels >= 36);
    await page.getByRole('button', { name: 'Compact' }).click();
    await eventually('height of a compact row', height, 24);
    const phone = await open(browser, baseUrl, { viewport: { width: 390, height: 844 } });
    await visit(phone, `?hour=${hour}`);
    await eventually('on a phone', () => phone.locator('.event').nth(9).evaluate((event) => event.getBoundingClientRect().bottom <= innerHeight), true);
    const lines = () => phone.locator('.top').evaluate((top) => {
      const seen = [...top.querySelectorAll('a, button, summary, select')].map((part) => part.getBoundingClientRect()).filter(({ width }) => width > 0);
      const middles = seen.map(({ top: above, height }) => Math.round((above + height / 2) / 10));
      return [new Set(middles).size, Math.max(...seen.map(({ right }) => right)) <= innerWidth];
    });
    for (const view of [`hour=${hour}`, 'last=7d&refresh=30s', `hour=${hour}&page=system`]) {
      await visit(phone, `?${view}`);
      await eventually(`lines of the head, ${view}`, lines, [2, true]);
    }
    await phone.getByRole('link', { name: 'System' }).click();
    await eventually('the way back', async () => params(phone).page, undefined);
    await phone.getByRole('button', { name: 'Types and fields' }).click();
    await eventually('the drawer', () => phone.locator('type-picker').isVisible(), true);
    await phone.keyboard.press('Escape');
    await eventually('the drawer, put away', () => phone.locator('type-picker').isVisible(), false);
    await phone.context().close();
    await page.setViewportSize({ width: 1440, height: 1000 });
  },

  async 'the chart folds into its line, and stays so'({ page }) {
    const fold = page.locator('#hits-title button');
    await fold.click();
    await eventually('charts', () => page.locator('hits-chart').count(), 0);
    await page.reload();
    await eventually('unfolded after a reload', () => fold.getAttribute('aria-expanded'), 'false');
    await fold.click();
    await eventually('charts', () => page.locator('hits-chart').count(), 1);
  },

  async 'the chart is drawn, and its numbers add up'({ page, events }) {
    const painted = () => page.locator('hits-chart canvas').evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let pixels = 0;
      for (let i = 3; i < data.length; i += 4) pixels += data[i] > 200;
      return pixels;
    });
    await eventually('painted pixels', painted, (n) => n > 500);
    await page.getByRole('button', { name: 'Show the numbers' }).click();
    const cells = await page.locator('hits-chart tbody tr > :last-child').allInnerTexts();
    await eventually('sum of minutes', async () => cells.map(number).reduce((a, b) => a + b, 0), events);
    await eventually('minutes', async () => cells.length, 60);
  },

  async 'the minute under the pointer and under the arrow keys is told'({ page, hour }) {
    await page.locator('.hits-plot').hover({ position: { x: 500, y: 30 } });
    await eventually('tip', () => page.locator('.tip-head').innerText(), (text) => /^\d\d:\d\d UTC/.test(text));
    await page.mouse.move(0, 0);
    await eventually('tips left', () => page.locator('.tip').count(), 0);
    await page.locator('.hits-plot').focus();
    await page.keyboard.press('ArrowRight');
    await eventually('told', () => page.locator('hits-chart [aria-live]').innerText(), (text) => text.startsWith(`${hour.slice(11)}:00 UTC`));
    await page.keyboard.press('Escape');
  },

  async 'the types are listed with their counts'({ page, types, events }) {
    const listed = () => page.locator('type-picker [data-type]').evaluateAll((all) => all.map((b) => b.dataset.type));
    await eventually('types', listed, (all) => types.every((type) => all.includes(type)));
    const counts = await page.locator('type-picker [data-type] .type-count').allInnerTexts();
    await eventually('sum of types', async () => counts.map(number).reduce((a, b) => a + b, 0), events);
  },

  async 'choosing types filters chart, events and address'({ page, types, events }) {
    const choice = (type) => page.locator(`type-picker [data-type=${JSON.stringify(type)}]`);
    const [first, second = first] = types;
    const one = number(await choice(first).locator('.type-count').innerText());
    await choice(first).click();
    await eventually('total of one type', () => total(page), one);
    await eventually('address', async () => params(page).type, first);
    const shown = () => page.locator('.event .event-type-name').allInnerTexts();
    await eventually('types of the events', shown, (all) => all.length > 0 && all.every((type) => type === first));
    if (second !== first) {
      const two = one + number(await choice(second).locator('.type-count').innerText());
      await choice(second).click();
      await eventually('total of two types', () => total(page), two);
    }
    await page.getByRole('button', { name: /^All types/ }).click();
    await eventually('total of all types', () => total(page), events);
  },

  async 'a type has one colour, whatever else is shown'({ page, hour, types: [type] }) {
    const colour = (swatch) => getComputedStyle(swatch).backgroundColor;
    const ofPicker = () => page.locator(`type-picker [data-type=${JSON.stringify(type)}] .swatch`).evaluate(colour);
    const ofRow = () => page.locator('.event-type').filter({ hasText: new RegExp(`^\\s*${type}\\s*$`) }).first().locator('.swatch').evaluate(colour);
    const expected = await ofPicker();
    await eventually('of the list', ofRow, expected);
    for (const view of [`hour=${hour}&type=${encodeURIComponent(type)}`, `from=${hour}:10:00Z&to=${hour}:11:00Z`]) {
      await visit(page, `?${view}`);
      await eventually(`of the choice, ${view}`, ofPicker, expected);
      await eventually(`of the list, ${view}`, ofRow, expected);
    }
    await visit(page, `?hour=${hour}`);
  },

  async 'an event unfolds into a table of what it came with, or its JSON'({ page, hour }) {
    const event = await page.evaluate((h) => fetch(`api/v1/events?hour=${h}&order=desc&limit=1`).then((r) => r.json()).then((r) => r.events[0]), hour);
    await rowsIn(page).first().locator('.event-row').click();
    const names = () => page.locator('.event-fields tbody th').allInnerTexts();
    await eventually('fields', names, ['time', 'type', 'id', ...fieldsOfEvent(event).fields.map(({ name }) => name)].slice(0, 103));
    await eventually('heads', () => page.locator('.event-fields thead th').allInnerTexts(), ['Field', 'Value', 'Actions']);
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    const json = () => page.locator('.event-json').innerText().then((text) => [JSON.parse(text).id, Object.keys(JSON.parse(text).data).join()]);
    await eventually('JSON', json, [event.id, Object.keys(event.data).join()]);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await eventually('the table again', () => page.locator('.event-fields').count(), 1);
    await rowsIn(page).first().locator('.event-toggle').click();
    await eventually('unfolded', () => page.locator('.detail').count(), 0);
  },

  async 'the table is worked by keyboard'({ page, events }) {
    await page.locator('.event-toggle[tabindex="0"]').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await eventually('unfolded', () => page.locator('.detail').count(), 1);
    if (events > 1) {
      await page.keyboard.press('ArrowDown');
      await eventually('row in focus', () => page.evaluate(() => document.activeElement.closest('.event')?.dataset.index), '1');
    }
  },

  async 'newest first holds until the reader turns the order round, which is remembered'({ page, hour }) {
    const falling = (all) => all.length > 0 && all.every((time, i) => i === 0 || time <= all[i - 1]);
    const rising = (all) => all.length > 0 && all.every((time, i) => i === 0 || time >= all[i - 1]);
    await visit(page, `?hour=${hour}`);
    await eventually('times', () => times(page), falling);
    await eventually('address', async () => params(page).order ?? null, null);
    await page.getByRole('button', { name: 'Oldest first' }).click();
    await eventually('address', async () => params(page).order, 'asc');
    await eventually('times', () => times(page), rising);
    await visit(page, `?hour=${hour}`);
    await eventually('times of another view', () => times(page), rising);
    await visit(page, `?hour=${hour}&order=desc`);
    await eventually('times of a link', () => times(page), falling);
    await page.getByRole('button', { name: 'Newest first' }).click();
    await visit(page, `?hour=${hour}`);
    await eventually('times', () => times(page), falling);
  },

  async 'more events come as the end comes near'({ page, events }) {
    const loaded = async () => number((await page.locator('events-bar .panel-count').innerText()).replace('All ', ''));
    for (let i = 0; i < 5 && (await loaded()) < events; i++) {
      const before = await loaded();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await eventually('loaded events', loaded, (n) => n > before);
    }
    await eventually('rows in the document', () => rowsIn(page).count(), (n) => n > 0 && n < ROWS_IN_PAGE_MAX);
    await page.evaluate(() => scrollTo(0, 0));
  },

  async 'rows that leave the window leave no nodes behind'({ page }) {
    const first = () => rowsIn(page).first().getAttribute('data-index').then(Number);
    // Each row has a comment before and after it, and so has the list; whatever is beyond that was left behind.
    const beyond = () => page.locator('.events-body').evaluate((body) => {
      const comments = [...body.childNodes].filter((node) => node.nodeType === Node.COMMENT_NODE);
      return comments.length - 2 * body.children.length;
    });
    const height = await page.evaluate(() => document.body.scrollHeight);
    for (let step = 1; step <= 6; step++) {
      const before = await first();
      await page.evaluate((y) => scrollTo(0, y), (height * (step % 2)) / 2);
      await eventually('first row', first, (index) => index !== before);
    }
    await eventually('nodes beyond those of the rows', beyond, (n) => n <= 4);
  },

  async 'the system opens with its health, and the rows of the hour hold all its columns'({ page, events }) {
    await page.getByRole('link', { name: 'System' }).click();
    await eventually('address', async () => [params(page).page, await page.getByRole('tab', { selected: true }).innerText()], ['system', 'Health']);
    await page.getByRole('tab', { name: 'Rows' }).click();
    const columns = () => page.locator('table.rows tbody tr > :nth-child(3)').allInnerTexts().then((all) => all.map(number));
    await eventually('columns', columns, (all) => all.length > 0 && all.reduce((a, b) => a + b, 0) === events);
    await eventually('widest first', columns, (all) => all.every((n, i) => i === 0 || n <= all[i - 1]));
    await page.locator('table.rows').getByRole('button', { name: 'Columns' }).click();
    await eventually('narrowest first', columns, (all) => all.every((n, i) => i === 0 || n >= all[i - 1]));
  },

  async 'a map of the day shows how wide its rows are, and leads to an hour and a type'({ page, hour, events }) {
    const hours = Number(hour.slice(11));
    await page.locator('.heat-plot').focus();
    await page.keyboard.press('ArrowRight');
    for (let at = 23; at > hours; at--) await page.keyboard.press('ArrowLeft');
    const told = () => page.locator('rows-heat [aria-live]').innerText();
    await eventually('told', told, (text) => text.includes(`${hour.slice(11)}:00–`) && /[\d,]+ columns/.test(text) && text.includes('of the target'));
    await page.locator('rows-heat').getByText('Show the numbers').click();
    const cells = () => page.locator(`rows-heat tbody tr > :nth-child(${hours + 2})`).allInnerTexts().then((all) => all.filter(Boolean).map((text) => number(text.replace(/, \S+$/, ''))));
    const whole = !(await page.locator('rows-heat h2').innerText()).includes('the widest');
    await eventually('columns of the hour', cells, (all) => all.length > 0 && (!whole || all.reduce((a, b) => a + b, 0) === events));
    await eventually('the widest on top', cells, (all) => all[0] === Math.max(...all));
    await page.locator('.heat-plot').focus();
    await page.keyboard.press('ArrowRight');
    for (let at = 23; at > hours; at--) await page.keyboard.press('ArrowLeft');
    await eventually('told again', told, (text) => text.includes(', row '));
    const type = / UTC, (.+), row \d+/.exec(await told())[1];
    await page.keyboard.press('Enter');
    await eventually('address', async () => [params(page).hour, params(page).type], [hour, type]);
    await page.goBack();
    await eventually('total', () => total(page), events);
  },

  async 'the map is pointed at, clicked, and measured by bytes'({ page, hour }) {
    await page.getByRole('button', { name: 'Bytes' }).click();
    const plot = page.locator('.heat-plot .u-over');
    const position = { x: ((await plot.evaluate((over) => over.clientWidth)) * (Number(hour.slice(11)) + 0.5)) / 24, y: 8 };
    await plot.hover({ position });
    await eventually('tip', () => page.locator('.heat-tip').innerText(), (text) => text.includes(`${hour.slice(11)}:00–`) && text.includes('of the target'));
    await plot.click({ position });
    await eventually('address', async () => [params(page).hour, typeof params(page).type], [hour, 'string']);
    await page.goBack();
  },

  async 'health tells what is taken, what is refused and how the store is'({ page }) {
    await page.getByRole('tab', { name: /Health/ }).click();
    await eventually('address', async () => [params(page).page, params(page).show ?? null], ['system', null]);
    await eventually('a rate, from the second look on', () => page.getByTestId('Taken now').innerText(), (text) => /^[\d,.]+\/s\n[\d,.]+ events?$/.test(text));
    await eventually('store', () => page.getByTestId('store-state').innerText(), (text) => text.startsWith('Ready'));
    await eventually('disk', () => page.locator('.facts').innerText(), (text) => /On disk\s+[\d,.]+ [KMG]?i?B/.test(text));
    await eventually('newest event', () => page.getByTestId('Newest event').innerText(), (text) => text.includes('ago'));
    await eventually('sources', () => page.locator('health-panel tbody').first().innerText(), (text) => text.includes('Pushes over HTTP'));
  },

  async 'the sources tell what the process took'({ page }) {
    await page.getByRole('tab', { name: /Sources/ }).click();
    await eventually('address', async () => params(page).show, 'sources');
    const told = () => page.locator('sources-panel .panel-count').innerText();
    await eventually('events taken', told, (text) => number(/: ([\d,]+) events? taken/.exec(text)?.[1] ?? '0') > 0);
    await eventually('a rate, from the second look on', told, (text) => /now [\d,.]+\/s/.test(text));
    await page.getByRole('link', { name: 'System' }).click();
    await eventually('back at the events', async () => [params(page).page ?? '', await page.getByRole('tab', { selected: true }).innerText()], ['', 'Events']);
  },

  async 'hours are stepped through, and Back goes back'({ page, hour, events }) {
    await page.getByRole('button', { name: 'Next hour' }).click();
    await eventually('hour', async () => params(page).hour, hourAt(hour, 1));
    await page.goBack();
    await eventually('hour', async () => params(page).hour, hour);
    await eventually('total', () => total(page), events);
    await page.getByRole('button', { name: 'Previous hour' }).click();
    await eventually('hour', async () => params(page).hour, hourAt(hour, -1));
    await page.locator('[data-name="range"] > summary').click();
    await page.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('ArrowRight');
    await eventually('hour', async () => params(page).hour, hour);
    await eventually('total', () => total(page), events);
  },

  async 'all fields stand side by side, and lead to the values of one'({ page, hour }) {
    await visit(page, `?hour=${hour}&show=fields`);
    const row = page.locator('.fields-table tbody tr').filter({ has: page.getByRole('button', { name: 'path', exact: true }) });
    await eventually('kind', () => row.locator('td').nth(1).innerText(), 'string');
    await eventually('values', () => row.locator('.frequent-value').count(), (n) => n > 0);
    await page.getByRole('searchbox', { name: 'Find fields in the table' }).fill('PAT');
    await eventually('found', () => page.locator('.fields-table tbody th').allInnerTexts(), (names) => names.includes('path') && names.every((name) => name.includes('pat')));
    await row.getByRole('button', { name: 'Column path' }).click();
    await eventually('a column', async () => params(page).column, 'data.path');
    await row.locator('.field-link').press('Enter');
    await eventually('its values', async () => [params(page).field, await page.locator('.field-facts b').innerText()], ['data.path', 'data.path']);
    await page.getByRole('button', { name: 'All fields' }).click();
    await eventually('all again', () => page.locator('.fields-table').count(), 1);
    await row.locator('button.frequent-value').first().click();
    await eventually('clause', async () => params(page).q, (q) => /^path:=\S+$/.test(q));
    await visit(page, `?hour=${hour}`);
  },

  async 'a link to everything opens the same view'({ page, hour, types }) {
    await visit(page, `?hour=${hour}&type=${encodeURIComponent(types[0])}&order=desc&show=fields`);
    await eventually('chosen type', () => page.locator('type-picker [data-type][aria-pressed="true"]').getAttribute('data-type'), types[0]);
    await eventually('panel', () => page.getByRole('tab', { selected: true }).innerText(), 'Fields');
    await visit(page, `?hour=${hour}&type=${encodeURIComponent(types[0])}&show=rows`);
    await eventually('panel of an address of old', () => page.getByRole('tab', { selected: true }).innerText(), 'Rows');
    await eventually('rows', () => page.locator('table.rows tbody th').allInnerTexts(), (all) => all.length > 0 && all.every((t) => t.trim() === types[0]));
  },

  async 'without a time the page opens where the newest events are'({ page, browser, baseUrl, hour }) {
    await visit(page, '');
    await eventually('total', () => total(page), (n) => n > 0);
    const opened = async (clock) => {
      const other = await open(browser, baseUrl);
      await other.clock.setFixedTime(new Date(clock));
      // The newest are those of this hour, whatever else the server has.
      await other.route('**/api/v1/events?*order=desc&limit=1*', async (route) => {
        const url = new URL(route.request().url());
        if (!url.searchParams.has('to')) url.searchParams.set('to', `${hourAt(hour, 1)}:00:00Z`);
        await route.continue({ url: url.href });
      });
      await visit(other, '');
      const said = await other.locator('.opening').allInnerTexts();
      return { other, found: [params(other).last ?? params(other).hour, said.join()] };
    };
    const at = async (clock, time, words) => {
      const { other, found } = await opened(clock);
      await eventually(`at ${clock}`, async () => [found[0], words === '' ? found[1] === '' : found[1].includes(words)], [time, true]);
      await eventually('events', () => total(other), (n) => n > 0);
      return other;
    };
    await (await at(`${hourAt(hour, 1)}:20:00Z`, '60m', '')).context().close();
    const ahead = await at(`${hour}:30:00Z`, '60m', 'There are events ahead of the clock, up to');
    await accessible(ahead, 'events ahead of the clock');
    await ahead.getByRole('button', { name: 'Show them' }).click();
    await eventually('their hour', async () => [params(ahead).hour, await ahead.locator('.opening').count()], [hour, 0]);
    await ahead.getByRole('button', { name: 'Latest' }).click();
    await eventually('the last hour', async () => [params(ahead).last, params(ahead).hour ?? null], ['60m', null]);
    await ahead.context().close();
    await (await at(new Date(Date.parse(`${hourAt(hour, 1)}:00:00Z`) + 90 * 86_400_000).toISOString(), hour, 'the newest events are 90 days old')).context().close();
    await (await at('2001-01-01T00:00:00Z', hour, 'All events are ahead of the clock')).context().close();
  },

  async 'an empty hour says so and leads out'({ page }) {
    await visit(page, '?hour=2001-01-01T05');
    await eventually('reason', () => page.locator('.callout').first().innerText(), (text) => text.includes('between 05:00 and 06:00 UTC on Monday 1 January 2001'));
    await page.locator('nearest-hours button').first().click();
    await eventually('total', () => total(page), (n) => n > 0);
  },

  async 'a dropped hour says so'({ page, dropped, log }) {
    if (!dropped) return log('    not asked for: --dropped names no hour');
    await visit(page, `?hour=${dropped}`);
    await eventually('callouts', async () => (await page.locator('.callout').allInnerTexts()).join('\n'), (text) => text.includes('Hours were dropped') && text.includes(`${dropped} (UTC)`) && text.includes('No events in this hour'));
    await accessible(page, 'a dropped hour');
  },

  async 'the theme is switched and kept'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b));
    await page.emulateMedia({ colorScheme: 'dark' });
    await eventually('ground in the dark', ground, (light) => light < 150);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    await eventually('ground of the dark theme', ground, (light) => light < 150);
    await page.reload();
    await eventually('ground after a reload', ground, (light) => light < 150);
    await page.getByRole('button', { name: 'Theme: dark' }).click();
    await eventually('ground as the system', ground, (light) => light > 600);
  },

  async 'the page is light'({ page, hour, log }) {
    page.kept.bodies.length = 0;
    await visit(page, `?hour=${hour}`);
    const bodies = await Promise.all(page.kept.bodies);
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    log(`    ${bodies.length} files, ${(bytes / 1024).toFixed(1)} KB compressed`);
    await eventually('compressed bytes', async () => bytes, (n) => n > 0 && n <= WEIGHT_MAX_BYTES);
  },
};
