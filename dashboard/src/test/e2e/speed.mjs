import { open } from './browser.mjs';

/** Views are opened so often, each in a browser context that knows nothing yet. */
const RUNS = 5;

/** What is wanted of a machine that does nothing else. A busy one only has to come to it: no test is timed. */
const USABLE_MILLIS = 1_500;

/** Chart, counts and the first events are there: from the request of the page on, in milliseconds. */
const usable = (page, events) =>
  page.waitForFunction((total) => {
    const counted = document.querySelector('[data-testid="total"]')?.textContent.replaceAll(',', '').startsWith(String(total));
    const drawn = document.querySelector('hits-chart canvas') !== null;
    return counted && drawn && document.querySelectorAll('.event').length > 10 && performance.now();
  }, events, { polling: 'raf' });

export const SPEED = {
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
