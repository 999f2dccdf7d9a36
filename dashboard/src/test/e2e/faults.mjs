import { FOLLOW_SECONDS } from '../../main/web/state/view-data.js';
import { accessible, eventually, params, total } from './browser.mjs';

/**
 * What the page does when the server fails it, or answers what a test cannot wait for: the answers are changed on their
 * way. Each on a page of its own.
 */

/** After so long the counts of an hour under way have been asked for again, wherever the clock stood. */
const FOLLOW_MILLIS = 1_000 * (FOLLOW_SECONDS + 1);

const problem = (status, detail, headers = {}) => ({
  status, headers, contentType: 'application/problem+json', body: JSON.stringify({ type: 'about:blank', title: 'Out of order', status, detail }),
});

/** Lets the server answer and changes the answer on its way; a connection that idled out meanwhile is opened again. */
const changing = (change) => async (route) => {
  const response = await route.fetch({ maxRetries: 3, timeout: 0 });
  await route.fulfill({ response, json: change(await response.json()) });
};

const callout = (page) => page.locator('.callout').first().innerText();

export const FAULTS = {
  async 'an error shows its reason, and Try again mends it'({ page, hour, events }) {
    await page.route('**/api/v1/hits?*step=1m*', (route) => route.fulfill(problem(503, 'the store is away', { 'Retry-After': '5' })));
    await page.goto(`?hour=${hour}`);
    await eventually('callout', () => callout(page), (text) => text.includes('the store is away') && text.includes('5 s'));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually('total', () => total(page), events);
  },

  async 'a server that is away is named once, beside what was shown, until it is back'({ page, hour, events }) {
    await page.goto(`?hour=${hour}`);
    await eventually('total', () => total(page), events);
    await eventually('events', () => page.locator('.event').count(), (n) => n > 0);
    const health = () => page.locator('health-badge').innerText();
    await eventually('health', health, (text) => text.includes('Ready'));
    await page.clock.install();
    await page.route('**/api/**', (route) => route.abort());
    await page.route('**/health/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Reload' }).click();
    await eventually('callout', () => callout(page), (text) => ['cannot be reached', 'running', 'still shown'].every((part) => text.includes(part)));
    await eventually('health, long before its clock', health, (text) => text.includes('No connection'));
    await eventually('named once', () => page.locator('.callout').count(), 1);
    const kept = () => Promise.all([total(page), page.locator('hits-chart canvas').count(), page.locator('type-picker').count(), page.locator('.event').count()]);
    await eventually('calm', () => page.locator('.callout').evaluate((said) => ['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'].includes(getComputedStyle(said).backgroundColor)), true);
    await accessible(page, 'a server that is away');
    await eventually('what was shown', kept, ([all, charts, pickers, rows]) => all === events && charts === 1 && pickers === 1 && rows > 0);
    await page.getByRole('button', { name: 'Next hour' }).click();
    await eventually('whose that is', () => callout(page), (text) => text.includes('They are of') && text.includes(`${hour.slice(11)}:00–`));
    await page.goBack();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.clock.runFor(3_000);
    await eventually('callouts left', () => page.locator('.callout').count(), 0);
    await eventually('health', health, (text) => text.includes('Ready'));
    await eventually('total', () => total(page), events);
  },

  async 'counts that fail while time goes on stay as they were'({ page, hour, events }) {
    await page.clock.install({ time: new Date(`${hour}:30:00Z`) });
    await page.goto(`?hour=${hour}`);
    await eventually('total', () => total(page), events);
    await page.route('**/api/**', (route) => route.fulfill(problem(503, 'the store is away')));
    await page.clock.runFor(FOLLOW_MILLIS);
    await eventually('callout', () => callout(page), (text) => text.includes('the store is away') && text.includes('still shown'));
    await eventually('named once', () => page.locator('.callout').count(), 1);
    await eventually('total kept', () => total(page), events);
    await eventually('chart', () => page.locator('hits-chart canvas').count(), 1);
  },

  async 'the end of the list is no end of an hour that goes on'({ page, hour }) {
    await page.route('**/api/v1/events?*', changing((answer) => ({ ...answer, cursor: null })));
    await page.goto(`?hour=${hour}&order=asc`);
    const foot = () => page.locator('events-panel .foot').innerText();
    await eventually('foot of an hour that is over', foot, 'End of the hour');
    await page.getByRole('button', { name: 'Newest first' }).click();
    await eventually('foot of the other order', foot, 'Beginning of the hour');
    await page.clock.setFixedTime(new Date(`${hour}:30:00Z`));
    await page.goto(`?hour=${hour}&order=asc`);
    await eventually('foot of an hour that goes on', foot, 'No later event when this was loaded');
  },

  async 'a partial answer says what is missing'({ page, hour }) {
    await page.route('**/api/v1/events?*', changing((answer) => ({ ...answer, complete: false, rows: { asked: 12, answered: 11 } })));
    await page.goto(`?hour=${hour}`);
    await eventually('callout', () => callout(page), (text) => text.includes('Some events are missing') && text.includes('1 of 12 rows'));
  },

  async 'partial counts say that they are'({ page, hour }) {
    await page.route('**/api/v1/hits?*step=1m*', changing((answer) => ({ ...answer, complete: false })));
    await page.goto(`?hour=${hour}`);
    await eventually('callout', () => callout(page), (text) => text.includes('Some counts are missing'));
    await eventually('chart', () => page.locator('hits-chart').count(), 1);
  },

  async 'a search that takes long says what it reads'({ page, hour, events }) {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/api/v1/hits?*step=1m*', async (route) => (await held, route.continue()));
    await page.goto(`?hour=${hour}&q=api`);
    await eventually('progress', () => page.locator('search-progress').innerText(), (text) => text.includes('Counting up to') && text.includes('event') && /… \d+ s/.test(text));
    await accessible(page, 'searching');
    release();
    await eventually('progress left', () => page.locator('search-progress').count(), 0);
    await eventually('total', () => total(page), (n) => n > 0 && n <= events);
  },

  async 'the progress of a search is measured'({ page, hour }) {
    const lines = [0, 5].map((answered) => `{"progress":{"rows_asked":12,"rows_answered":${answered}}}\n`).join('');
    // A route cannot hold a body that has begun.
    await page.addInitScript((text) => {
      const { fetch } = globalThis;
      const begun = () => new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(text)) }));
      globalThis.fetch = (url, options) => (String(url).includes('format=ndjson') ? Promise.resolve(begun()) : fetch(url, options));
    }, lines);
    await page.goto(`?hour=${hour}&q=api`);
    await eventually('share', () => page.locator('.search-share').innerText(), '42% of 12 rows read');
    await eventually('bar', () => page.locator('.search-share progress').evaluate((bar) => [bar.value, bar.max]), [5, 12]);
    await accessible(page, 'progress');
  },

  async 'a question is stopped: what came stays, and the rest is asked for again'({ page, hour, events }) {
    await page.goto(`?hour=${hour}`);
    await eventually('total', () => total(page), events);
    const asked = [];
    page.on('requestfailed', (request) => asked.push(new URL(request.url()).pathname.split('/').pop()));
    await page.route('**/api/v1/hits?*step=1m*', () => new Promise(() => {}));
    await page.goto(`?hour=${hour}&q=api`);
    await eventually('events', () => page.locator('.event').count(), (n) => n > 0);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const note = () => page.locator('.search-progress').innerText();
    await eventually('note', note, (text) => /Stopped after [\d,]+ events; they are not counted/.test(text));
    await eventually('requests ended', async () => asked, (paths) => paths.includes('hits'));
    await eventually('kept', () => page.locator('.event').count(), (n) => n > 0);
    await eventually('no old counts', () => page.getByTestId('total').innerText(), (text) => !/\d/.test(text));
    await accessible(page, 'stopped');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await eventually('total', () => total(page), (n) => n > 0 && n <= events);
    await eventually('note left', () => page.locator('.search-progress').count(), 0);
  },

  async 'counts of the question before are not shown as those of the new one'({ page, hour, types: [type], events }) {
    await page.goto(`?hour=${hour}`);
    await eventually('total', () => total(page), events);
    await page.route('**/api/v1/hits?*step=1m*', () => new Promise(() => {}));
    await page.locator(`type-picker [data-type=${JSON.stringify(type)}]`).click();
    await eventually('chart', () => page.locator('.chart-note').innerText(), 'of the question before');
    await eventually('pale', () => page.locator('.hits.stale').count(), 1);
    await eventually('no old total', () => page.getByTestId('total').innerText(), (text) => !/\d/.test(text));
  },

  async 'counts of a long range are shown as they come, and stay after a stop'({ page, hour, events, types: [type] }) {
    const from = new Date(Date.parse(`${hour}:00:00Z`) - 47 * 3_600_000).toISOString().slice(0, 13);
    const to = new Date(Date.parse(`${hour}:00:00Z`) + 3_600_000).toISOString().slice(0, 13);
    // The newest part of the range has all of its events.
    const isNewest = (route) => new URL(route.request().url()).searchParams.get('to')?.startsWith(`${to}:00:00`);
    await page.route('**/api/v1/hits?*', (route) => (isNewest(route) ? route.continue() : new Promise(() => {})));
    const figure = () => page.getByTestId('total').innerText();
    const share = () => page.locator('.search-share').innerText();
    await page.goto(`?from=${from}&to=${to}`);
    await eventually('counts so far', figure, `${events.toLocaleString('en')}+`);
    await eventually('share', share, (text) => /^\d+% of the time$/.test(text));
    await eventually('chart', () => page.locator('.chart-note').innerText(), (text) => text.endsWith('of the time counted so far'));
    await eventually('drawn as it is', () => page.locator('.hits:not(.stale) canvas').count(), 1);
    await eventually('types', () => page.locator('type-picker [data-type]').count(), (n) => n > 0);
    await eventually('no total of the list', () => page.locator('events-bar .panel-count').innerText(), (text) => /^[\d,]+ events loaded$/.test(text));
    await accessible(page, 'counts so far');
    const ofType = Number((await page.locator(`type-picker [data-type=${JSON.stringify(type)}] .type-count`).innerText()).replaceAll(',', ''));
    await page.locator(`type-picker [data-type=${JSON.stringify(type)}]`).click();
    await eventually('counts of the new question', figure, `${ofType.toLocaleString('en')}+`);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await eventually('note', () => page.locator('.search-progress').innerText(), (text) => /; \d+% of the time is counted;/.test(text));
    await eventually('what was counted', figure, `${ofType.toLocaleString('en')}+`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Ask again' }).click();
    await eventually('total', () => total(page), ofType);
    await eventually('note of the chart', () => page.locator('.chart-note').innerText(), (text) => text.startsWith('at most '));
  },

  async 'all types keep their count while they are asked for again'({ page, hour, types }) {
    const all = () => page.locator('type-picker .type').first();
    const counts = () => page.locator('type-picker .type-count').allInnerTexts();
    await page.goto(`?hour=${hour}&q=api&type=${encodeURIComponent(types[0])}`);
    await eventually('total of a type', () => total(page), (n) => n > 0);
    await eventually('counts', counts, (texts) => texts.length > 2);
    const before = await counts();
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/api/v1/hits?*step=1m*', async (route) => (await held, route.continue()));
    await all().click();
    await eventually('chosen', () => all().getAttribute('aria-pressed'), 'true');
    await eventually('counts meanwhile', counts, before);
    release();
    await eventually('total', async () => String(await total(page)), before[0].replaceAll(',', ''));
    await eventually('counts in the end', counts, before);
  },

  async 'waiting shows as waiting'({ page, hour, events }) {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/api/**', async (route) => (await held, route.continue()));
    await page.goto(`?hour=${hour}`);
    await eventually('bones', () => page.locator('.bone').count(), (n) => n > 3);
    await eventually('busy', () => page.locator('.turning').count(), 1);
    await accessible(page, 'loading');
    release();
    await eventually('total', () => total(page), events);
    await eventually('bones left', () => page.locator('.bone').count(), 0);
  },

  async 'a link with a filter that cannot be read shows why, and the events without it'({ page, hour, events }) {
    await page.goto(`?hour=${hour}&q=${encodeURIComponent('status>')}`);
    await eventually('why', () => page.locator('.search-refusal').innerText(), (text) => text.includes('status>') && text.includes('missing'));
    await eventually('total', () => total(page), events);
    await eventually('events', () => page.locator('.event').count(), (n) => n > 0);
    await eventually('chart', () => page.locator('hits-chart canvas').count(), 1);
    await eventually('what is shown', () => page.locator('.without-filter').innerText(), (text) => text.includes('all events of the hour are shown'));
    await eventually('fields', () => page.locator('field-list .field').count(), (n) => n > 0);
    await accessible(page, 'a bad filter of a link');
    await page.reload();
    await eventually('total after a reload', () => total(page), events);
    await page.getByRole('button', { name: 'Remove the filter' }).press('Enter');
    await eventually('address', async () => params(page).q ?? null, null);
    await eventually('no more of it', () => page.locator('.search-refusal, .without-filter').count(), 0);
  },

  async 'a server that is back gives what a part of the page could not get'({ page, hour }) {
    await page.goto(`?hour=${hour}&show=fields`);
    await eventually('fields', () => page.locator('.fields-table tbody tr').count(), (n) => n > 0);
    await page.clock.install();
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.route('**/health/**', (route) => route.abort());
    await page.locator('.fields-table').getByRole('button', { name: 'path', exact: true }).click();
    await eventually('failure, of the page', () => page.locator('.callout').allInnerTexts(), (all) => all.length === 1 && all[0].includes('cannot be reached') && all[0].includes('by itself'));
    await eventually('failure, of the part', () => page.locator('fields-panel .foot').innerText(), (text) => text.includes('Not known while'));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.clock.runFor(3_000);
    await eventually('values of the field', () => page.locator('.field-facts').innerText(), (text) => text.includes('data.path'));
    await eventually('callouts left', () => page.locator('.callout').count(), 0);
  },

  async 'an empty store tells how to push, and shows the first event when it comes'({ page, baseUrl, events }) {
    await page.route('**/api/v1/events?*', (route) => route.fulfill({ json: { events: [], cursor: null, rows: { asked: 0, answered: 0 }, complete: true } }));
    await page.goto('');
    await eventually('command', () => page.locator('pre').innerText(), (text) => text.includes(`curl '${new URL('api/v1/events', baseUrl)}'`));
    await accessible(page, 'empty store');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await eventually('total', () => total(page), (n) => n > 0 && events > 0);
  },

  async 'an empty store does not tell a key that may only query to push'({ page }) {
    const key = { name: 'ada', scopes: ['query'], types: ['*'] };
    await page.route('**/api/v1/session', (route) => route.fulfill({ json: key }));
    await page.route('**/api/v1/events?*', (route) => route.fulfill({ json: { events: [], cursor: null, rows: { asked: 0, answered: 0 }, complete: true } }));
    await page.goto('');
    await eventually('what it may', () => page.locator('first-event').innerText(), (text) => ['The key ada lacks the scope ingest', 'appear here by themselves', 'what can be asked'].every((part) => text.includes(part)));
    await eventually('commands', () => page.locator('first-event pre').count(), 0);
    await accessible(page, 'empty store, query alone');
    Object.assign(key, { name: 'bob', scopes: ['ingest', 'query'], types: ['shop.*'] });
    await page.reload();
    await eventually('command of another key', () => page.locator('first-event').innerText(), (text) => text.includes('Authorization: Bearer $HOURGLASS_KEY') && text.includes('that the key bob may see, of the types shop.*'));
  },

  async 'while its hour is under way the counts follow, and new events are offered'({ page, hour, events }) {
    let late = 0;
    await page.clock.install({ time: new Date(`${hour}:30:00Z`) });
    await page.route('**/api/v1/hits?*step=1m*', changing((hits) => ({ ...hits, total: hits.total + late })));
    await page.goto(`?hour=${hour}&order=desc`);
    await eventually('total', () => total(page), events);
    const height = () => page.locator('.panel-head').evaluate((head) => head.offsetHeight);
    const widths = [1440, 1280, 1100, 800, 390];
    const heights = async () => {
      const all = [];
      for (const width of widths) {
        await page.setViewportSize({ width, height: 1000 });
        all.push(await height());
      }
      return all;
    };
    const before = await heights();
    late = 17;
    await page.clock.runFor(FOLLOW_MILLIS);
    await eventually('total', () => total(page), events + 17);
    await page.getByRole('button', { name: 'Show 17 new events' }).waitFor();
    await eventually('the head as high as before', heights, before);
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.getByRole('button', { name: 'Show 17 new events' }).click();
    await eventually('offers left', () => page.locator('.newcomers').count(), 0);
  },

  async 'rows of an hour under way tell who writes, what grows and what to set'({ page, hour, types }) {
    const claim = { writer: '3k5x9zq0a1', sole: true, columns: 100, bytes: 1 };
    const proposal = { setting: 'bucketing.target-columns', value: '10000', reason: '30 rows in the hour' };
    await page.route('**/api/v1/rows?*', changing(({ rows: [row] }) => ({
      rows: [
        { ...row, type: types[0], columns: 210, fill: 2.1, sealed: false, state: 'full', growth: { columns_per_s: 0, over_s: 12 }, writers: [claim] },
        { ...row, type: types[0], shard: 1, columns: 85, fill: 0.85, sealed: false, state: 'filling', growth: { columns_per_s: 12.5, over_s: 12 }, writers: null },
      ],
      types: [{ hour, type: types[0], rows: 2, columns: 295, bytes: 1, row_skew: { rows: 2, max_over_mean: 1.4237, gini: 0.2119 }, node_skew: { nodes: 3, max_over_mean: 1.5, gini: 0.25 }, writers: null, writers_unknown: 'claims could not be read: away', proposal }],
      claims: { asked: 1, answered: 0 },
      complete: true,
    })));
    await page.goto(`?hour=${hour}&show=planner`);
    const cells = (table) => page.locator(`table.${table} tbody tr`).first().locator('th, td').allInnerTexts();
    await eventually('proposal', () => callout(page), (text) => text.includes('bucketing.target-columns = 10000') && text.includes(types[0]) && text.includes('30 rows in the hour'));
    await eventually('type', async () => (await cells('row-types')).slice(1, 7), ['2', '295', '12.5/s', '1.42', '0.21', '1.50, Gini 0.25']);
    await eventually('planner', async () => (await cells('row-types')).slice(7), ([plan, layout]) => plan.startsWith('2 rows, ') && layout === 'bucketing.target-columns = 10000');
    await accessible(page, 'planner');
    await page.getByRole('tab', { name: 'Rows' }).click();
    await eventually('row', async () => (await cells('rows')).slice(2, 7), ['210', '210%', 'full', '0/s', '3k5x9z']);
    await page.locator('table.rows .writer summary').first().press('Enter');
    await eventually('writer', () => page.locator('table.rows .writer').first().innerText(), (text) => text.includes('3k5x9zq0a1 alone, up to 100 columns'));
    await eventually('the other row', () => page.locator('table.rows tbody tr').nth(1).innerText(), (text) => ['nearly full', 'filling', '12.5/s'].every((part) => text.includes(part)));
    await eventually('why', () => page.locator('.missing').innerText(), (text) => text.includes('could not be read: away'));
    await page.getByText('Legend', { exact: true }).click();
    await eventually('meaning', () => page.locator('.row-legend').innerText(), (text) => text.includes('at its target; its writers use other rows'));
    await accessible(page, 'rows of an hour under way');
  },

  async 'a row that is too wide leaps to the eye, and the planner is told of'({ page, hour, types }) {
    const [day, of] = [hour.slice(0, 10), hour.slice(11)];
    const key = `${day.slice(8)}${day.slice(5, 7)}${day.slice(2, 4)}${of}`;
    const row = (shard, columns, from, to) => ({
      row: `${key}|hot|${shard}`, type: 'hot', shard, columns, bytes: 1, first: `${hour}:${from}:00.0000000Z`, last: `${hour}:${to}:00.0000000Z`,
      target: { columns: 100, bytes: 1000 }, fill: columns / 100, sealed: true, state: 'sealed', growth: null, writers: null,
    });
    const rows = [row(0, 50, '00', '59'), row(1, 310, '00', '29'), ...Array.from({ length: 60 }, (_, i) => row(i + 2, 1, '30', '31'))];
    const skew = { rows: rows.length, max_over_mean: 2, gini: 0.3 };
    const hot = { hour, type: 'hot', rows: rows.length, columns: 420, bytes: 62, row_skew: skew, node_skew: null, writers: null, writers_unknown: 'all rows are sealed', proposal: null };
    await page.route('**/api/v1/rows?*', (route) => route.fulfill({ json: { rows, types: [hot], claims: { asked: 0, answered: 0 }, complete: true } }));
    await page.goto(`?hour=${hour}&show=rows`);
    await eventually('what is not shown', () => page.locator('rows-heat h2').innerText(), (text) => text.includes('the widest 40 of 62 rows'));
    await eventually('summary', () => page.locator('.heat-plot').getAttribute('aria-label'), (text) => text.includes('1 row too wide'));
    await page.locator('.heat-plot').focus();
    await page.keyboard.press('ArrowRight');
    for (let at = 23; at > Number(of); at--) await page.keyboard.press('ArrowLeft');
    await eventually('told', () => page.locator('rows-heat [aria-live]').innerText(), (text) => text.includes('hot, row 1') && text.includes('310% of the target') && text.includes('too wide'));
    await accessible(page, 'heat map');
    await page.keyboard.press('Enter');
    await eventually('address', async () => [params(page).hour, params(page).type], [hour, 'hot']);
    await page.getByRole('tab', { name: 'Planner' }).click();
    await eventually('planner', () => page.locator('.planned').innerText(), (text) => text.includes('62 rows, up to 61 side by side') && text.includes('its 420 columns fill 5; more share the writes'));
    await eventually('types known still', async () => types.length > 0, true);
  },

  async 'health is told part by part, where parts of it are away'({ page, hour }) {
    await page.route('**/api/v1/rejects', (route) => route.fulfill({ json: { total: 3, rejects: [
      { type: 'checkout', reason: 'time: not a time', count: 3, last: `${hour}:40:17.0000000Z`, samples: [{ reason: 'time: not a time: "<b>"', event: '{"time":"<b>"}' }] },
    ] } }));
    await page.route('**/metrics', (route) => route.fulfill(problem(503, 'no metrics today')));
    await page.route('**/health/ready', (route) => route.fulfill({ status: 503, json: { status: 'unavailable', store: 'no node answers', kafka: 'ready' } }));
    await page.goto(`?hour=${hour}&show=health`);
    await eventually('store', () => callout(page), (text) => text.includes('The store is not ready') && text.includes('no node answers'));
    await eventually('refused', () => page.locator('.rejects tbody tr').innerText(), (text) => ['time: not a time', '3', 'checkout'].every((part) => text.includes(part)));
    await page.locator('.samples summary').click();
    await eventually('sample', () => page.locator('.samples pre').innerText(), '{"time":"<b>"}');
    await eventually('metrics', () => page.locator('.health-parts').innerText(), (text) => text.includes('no metrics today'));
    await accessible(page, 'health in parts');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route('**/api/v1/rejects', (route) => route.fulfill(problem(404, 'not here')));
    await eventually('a ledger that is not there', () => page.locator('health-panel').innerText(), (text) => text.includes('keeps no ledger') && text.includes('On disk'));
  },

  async 'what a live tail missed is told, with the way to it'({ page, hour, events }) {
    const asked = [];
    const messages = [
      `id: p1\nevent: missed\ndata: ${JSON.stringify({ from: `${hour}:10:00.0000000Z`, to: `${hour}:12:00.0000000Z`, events: `/api/v1/events?limit=all&from=${hour}:10:00Z&to=${hour}:12:00Z&type=a&type=b` })}\n\n`,
      `id: p2\nevent: gap\ndata: ${JSON.stringify({ dropped: ['2026-11-18T08..2026-11-18T09'], detail: 'dropped' })}\n\n`,
      `id: p3\nevent: gap\ndata: ${JSON.stringify({ to: `${hour}:00:00.0000000Z`, detail: 'older' })}\n\n`,
    ];
    await page.route('**/api/v1/tail*', (route) => {
      const last = route.request().headers()['last-event-id'] ?? null;
      asked.push(last);
      return route.fulfill({ contentType: 'text/event-stream', body: messages[asked.length - 1] ?? ': nothing new\n\n' });
    });
    await page.goto('?live=on');
    await eventually('notices', () => page.locator('live-panel .callout').allInnerTexts(), (all) => all.length === 3 && all[0].includes('This page could not keep up') && /Hours were dropped[^]*2026-11-18T08\.\.2026-11-18T09 \(UTC\)/.test(all[1]) && all[2].includes('Late events may be missing'));
    await eventually('positions', async () => asked.slice(0, 4), [null, 'p1', 'p2', 'p3']);
    await eventually('state', () => page.locator('.live-state').innerText(), (text) => text.includes('No connection'));
    const file = new URL(await page.locator('live-panel a.button').getAttribute('href'), page.url());
    await eventually('file', async () => [file.pathname, ...file.searchParams.getAll('type'), file.searchParams.get('format'), file.searchParams.get('limit')], ['/api/v1/events', 'a', 'b', 'ndjson', 'all']);
    await accessible(page, 'live, with notices');
    await page.getByRole('button', { name: 'Dismiss' }).last().click();
    await eventually('notices left', () => page.locator('live-panel .callout').count(), 2);
    // By key: a page that moves between press and release of the mouse, as on a slow machine, loses a click.
    await page.getByRole('button', { name: 'Show that time' }).press('Enter');
    await eventually('address', async () => [params(page).from, params(page).live ?? null], [`${hour}:10:00Z`, null]);
    await eventually('total', () => total(page), (n) => n > 0 && n < events);
  },

  async 'with a filter the first events are shown before the last is found'({ page, hour }) {
    const line = (n) => JSON.stringify({ id: `${n}`, time: `${hour}:0${n}:00.0000000Z`, type: 'rare', data: { n } });
    await page.addInitScript((lines) => {
      const { fetch } = globalThis;
      globalThis.fetch = (address, options) => {
        if (!String(address).includes('format=ndjson')) return fetch(address, options);
        const encoder = new TextEncoder();
        let left = lines.slice();
        const body = new ReadableStream({
          async pull(controller) {
            if (left.length === 1) await new Promise((resolve) => (globalThis.findLast = resolve));
            controller.enqueue(encoder.encode(`${left.shift()}\n`));
            if (left.length === 0) controller.close();
          },
          cancel: () => (globalThis.left = true),
        }, { highWaterMark: 0 });
        options.signal.addEventListener('abort', () => (globalThis.left = true));
        return Promise.resolve(new Response(body));
      };
    }, [1, 2, 3].map(line));
    await page.goto(`?hour=${hour}&q=api&order=asc`);
    await eventually('the first events', () => page.locator('.event .event-type-name').allInnerTexts(), ['rare', 'rare']);
    await eventually('progress', () => page.locator('search-progress').innerText(), (text) => text.includes('2 found so far, up to') && text.includes(':02:00 UTC'));
    await page.evaluate(() => globalThis.findLast());
    await eventually('all events', () => page.locator('.event').count(), 3);
    await eventually('end', () => page.locator('events-bar .panel-count').innerText(), 'All 3 events');
    await page.getByRole('button', { name: 'Newest first' }).click();
    await eventually('the first events of the other order', () => page.locator('.event').count(), 2);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await eventually('the search left', () => page.evaluate(() => globalThis.left === true), true);
  },

  async 'an hour that is none is refused in words'({ page }) {
    await page.goto('?hour=yesterday');
    await eventually('callout', () => callout(page), (text) => text.includes('hour=yesterday') && text.includes('2026-11-20T08'));
    await accessible(page, 'bad hour');
    await page.getByRole('button', { name: 'Go to the newest events' }).click();
    await eventually('total', () => total(page), (n) => n > 0);
  },

  async 'long numbers keep their digits'({ page, hour }) {
    const event = '{"id":"a","time":"2026-11-20T08:00:00.0000000Z","type":"t","data":{"big":9007199254740993,"small":1.50}}';
    await page.route('**/api/v1/events?*', (route) => route.fulfill({ contentType: 'application/json', body: `{"events":[${event}],"cursor":null,"complete":true}` }));
    await page.goto(`?hour=${hour}`);
    await eventually('preview', () => page.locator('.event-data').innerText(), (text) => text.includes('9007199254740993'));
  },

  async 'a stack trace has its lines, of which twenty are shown until all are asked for'({ page, hour }) {
    const stack = ['Error: out of stock', ...Array.from({ length: 29 }, (_, i) => `\tat step${i} (shop.js:${i})`)].join('\n');
    const data = { stack, http: { status: 500 }, tags: ['eu', 'beta'], type: 'failure' };
    await page.route('**/api/v1/events?*', (route) => route.fulfill({ json: { events: [{ id: 'a', time: `${hour}:00:00.0000000Z`, type: 'failure', data }], cursor: null, complete: true } }));
    await page.goto(`?hour=${hour}`);
    await page.locator('.event-toggle').press('Enter');
    await eventually('fields', () => page.locator('.event-fields tbody th').allInnerTexts(), ['time', 'type', 'id', 'stack', 'http.status', 'tags']);
    const lines = () => page.locator('long-text').first().locator('.event-text').innerText().then((text) => text.split('\n').length);
    await eventually('lines', lines, 20);
    await page.getByRole('button', { name: 'Show all 30 lines' }).press('Enter');
    await eventually('all lines', lines, 30);
    await accessible(page, 'a stack trace');
    await eventually('copied as it was sent', () => page.locator('copy-button[label="Copy data.stack"]').evaluate((button) => button.text), stack);
    await page.getByRole('button', { name: 'Only tags with eu' }).press('Enter');
    await eventually('clause', async () => params(page).q, 'tags:eu');
  },

  async 'markup in an event is text'({ page, hour }) {
    const data = { '<img src=x onerror=alert(1)>': '<script>alert(2)</script>' };
    await page.route('**/api/v1/events?*', (route) => route.fulfill({ json: { events: [{ id: 'a', time: '2026-11-20T08:00:00.0000000Z', type: '<b>t</b>', data }], cursor: null, complete: true } }));
    await page.goto(`?hour=${hour}`);
    await page.locator('.event-toggle').click();
    await eventually('string', () => page.locator('.detail .json-string').innerText(), '<script>alert(2)</script>');
    await eventually('elements made', () => page.locator('event-table img, event-table script, event-table .event-type b').count(), 0);
  },

  async 'the values of a field are listed, and filter'({ page, hour, types }) {
    const answer = {
      values: [{ value: '/api/cart', count: 30, error_max: 0 }, { value: 9.5, count: 10, error_max: 0 }, { value: null, count: 1, error_max: 0 }],
      events: 50, absent: 7, nested: 1, too_long: 0, exact: true, distinct: 5, others_max: 1, complete: true,
    };
    const series = [{ type: types[0], events: 50, absent: 7, not_numeric: 33, count: 10, min: 1, max: 99.5, mean: 20.25, p50: 12, p90: 40, p99: 90, 'p99.9': 99.5 }];
    const asked = [];
    await page.route('**/api/v1/top?*', (route) => (asked.push(new URL(route.request().url()).searchParams), route.fulfill({ json: answer })));
    await page.route('**/api/v1/stats?*', (route) => route.fulfill({ json: { series, quantile_error_max: 0.001, complete: true } }));
    await page.goto(`?hour=${hour}&q=api`);
    await page.locator('.event .event-toggle').first().click();
    await page.getByRole('button', { name: 'Statistics of data.path' }).click();
    const cells = (table) => page.locator(`${table} tbody tr`).first().locator('th, td').allInnerTexts();
    await eventually('value', async () => (await cells('.field-values')).slice(0, 3), ['"/api/cart"', '30', '70%']);
    await eventually('asked', async () => [asked[0].get('field'), asked[0].get('hour'), asked[0].get('q'), asked[0].get('n')], ['data.path', hour, 'api', '20']);
    await eventually('figures', async () => (await cells('.field-numbers')).slice(1), ['10', '1', '20.25', '12', '40', '90', '99.5', '99.5']);
    await eventually('what is left out', () => page.locator('fields-panel .foot').first().innerText(), (text) => ['Of 50 events', '2 other values', '7 events without', '1 event with an object'].every((part) => text.includes(part)));
    await accessible(page, 'fields');
    await page.getByRole('button', { name: 'Not these' }).first().click();
    await eventually('address', async () => params(page).q, 'api -path:=/api/cart');
    await eventually('the field stays', async () => params(page).field, 'data.path');
  },

  async 'what came before and after an event leads on'({ page, hour }) {
    const event = (n) => ({ id: `6266${n}f0a-e4b8-11f1-8215-dde67d129eba`, time: `${hour}:00:0${n}.0000000Z`, type: 'near', data: { n } });
    const asked = [];
    await page.route('**/api/v1/events/*', (route) => route.fulfill({ json: event(2) }));
    await page.route('**/api/v1/events?around=*', (route) => (asked.push(new URL(route.request().url()).search), route.fulfill({ json: { events: [1, 2, 3].map(event), cursor: null, complete: true } })));
    await page.goto(`?hour=${hour}&event=${event(2).id}&of=near`);
    await page.getByRole('button', { name: 'Before and after' }).click();
    await eventually('events', () => page.locator('.surroundings a').allInnerTexts(), (texts) => texts.length === 3 && texts.every((text, i) => text.endsWith(`${hour.slice(11)}:00:0${i + 1}.000000`)));
    await eventually('itself', () => page.locator('.surroundings [aria-current]').allInnerTexts(), (texts) => texts.length === 1 && texts[0].endsWith(`${hour.slice(11)}:00:02.000000`));
    await accessible(page, 'surroundings');
    await page.getByRole('button', { name: 'This type' }).click();
    await eventually('asked of its type', async () => asked.at(-1), (search) => search.includes('type=near') && search.includes(`around=${event(2).id}`));
    await page.locator('.surroundings a').last().click();
    await eventually('address', async () => params(page).event, event(3).id);
  },
};
