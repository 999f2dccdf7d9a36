import { eventually, open } from './browser.mjs';

/** Views are opened so often, each in a browser context that knows nothing yet. */
const RUNS = 5;

/** What is wanted of a machine that does nothing else. A busy one only has to come to it: no test is timed. */
const USABLE_MILLIS = 800;

/** The layout shift that Lighthouse calls good. */
const MOVED_MAX = 0.1;

/** Chart, counts and the first events are there: from the request of the page on, in milliseconds. */
const usable = (page, events) =>
  page.waitForFunction((total) => {
    const counted = document.querySelector('[data-testid="total"]')?.textContent.replaceAll(',', '').startsWith(String(total));
    const drawn = document.querySelector('hits-chart canvas') !== null;
    return counted && drawn && document.querySelectorAll('.event').length > 10 && performance.now();
  }, events, { polling: 'raf' });

/** The questions of a page, in their order: `/api/v1/hits` by minutes as `hits 1m`. One about the cost of a slow one is none. */
function questionsOf(page) {
  const asked = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const step = searchParams.get('step');
    if (pathname.startsWith('/api/') && !pathname.endsWith('/plan')) asked.push(pathname.split('/').at(-1) + (step ? ` ${step}` : ''));
  });
  return asked;
}

export const SPEED = {
  async 'the first questions wait for no answer, and others until they are wanted'({ browser, baseUrl, hour }) {
    const page = await open(browser, baseUrl);
    const asked = questionsOf(page);
    const late = [];
    let answer;
    const held = new Promise((go) => (answer = go));
    await page.route('**/api/v1/**', (route) => held.then(() => route.continue()));
    page.on('request', (request) => request.url().includes('/assets/') && asked.length > 0 && late.push(request.url()));
    await page.goto(`?hour=${hour}`);
    await eventually('questions', async () => asked.toSorted(), ['events', 'hits 1m', 'session']);
    await eventually('files that the first script asks for', async () => late, []);
    answer();
    await eventually('fields, once the view is there', async () => asked.slice(3), ['fields']);
    await page.locator('[data-name="range"] > summary').click();
    await eventually('hours of the day, once they are looked at', async () => asked.slice(4), ['hits 1h']);
    await eventually('an hour with its events', () => page.locator('.day-hour[aria-checked="true"]').getAttribute('title'), (text) => /events?$/.test(text));
    await page.context().close();
  },

  async 'what is there stays where it is while answers come'({ browser, baseUrl, hour }) {
    const page = await open(browser, baseUrl);
    let answer;
    const held = new Promise((go) => (answer = go));
    await page.route('**/api/v1/hits?*', (route) => held.then(() => route.continue()));
    await page.addInitScript(() => {
      globalThis.moved = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (globalThis.moved += value))).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`?hour=${hour}`);
    await eventually('progress', () => page.locator('.search-progress').count(), 1);
    await eventually('events', () => page.locator('.event').count(), (n) => n > 0);
    answer();
    await eventually('chart', () => page.locator('hits-chart canvas').count(), 1);
    await eventually('progress left', () => page.locator('.search-progress').count(), 0);
    await eventually('share of the page that moved', () => page.evaluate(() => globalThis.moved), (share) => share < MOVED_MAX);
    await page.context().close();
  },

  async 'an hour of very many events can be used, in a new browser each time'({ browser, baseUrl, large, log }) {
    if (!large) return log('    not asked for: --large names no hour');
    const [, hour, events] = /^(.{13}):(\d+)$/.exec(large);
    const millis = [];
    for (let run = 0; run < RUNS; run++) {
      const page = await open(browser, baseUrl);
      await page.goto(`?hour=${hour}`, { waitUntil: 'commit' });
      millis.push(Math.round(await (await usable(page, Number(events))).jsonValue()));
      await page.context().close();
    }
    const median = millis.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)];
    log(`    ${Number(events).toLocaleString('en')} events: usable after ${median} ms (median of ${millis.join(', ')}); ${USABLE_MILLIS} are wanted`);
    return undefined;
  },
};
