import { accessible, eventually, open, params } from './browser.mjs';
import { standsTheLoad } from './live-load.mjs';

const TYPE = 'live-check';
const SETTLED_MILLIS = 90_000;

/** Numbers of the events shown, newest first, and of those that are marked as late. */
const shown = (page) => page.evaluate(() => (document.querySelector('event-table')?.events ?? []).map(({ data }) => data.n));
const late = (page) => page.evaluate(() => (document.querySelector('event-table')?.events ?? []).filter((e) => e.late).map(({ data }) => data.n));
const waiting = (page) => page.locator('.live-waiting button').innerText();
const toggle = (page) => page.getByRole('switch', { name: 'Live' });

let next = 0;

/**
 * Pushes so many events of now, or of some time ago, until they are acknowledged: they can be sent again, as they have
 * ids and times.
 */
async function push(baseUrl, count, agoMillis = 0) {
  const numbers = Array.from({ length: count }, () => next++);
  const time = new Date(Date.now() - agoMillis).toISOString();
  const body = numbers.map((n) => JSON.stringify({ type: TYPE, id: `n${n}`, time, n })).join('\n');
  await eventually('acknowledged', async () => {
    const response = await fetch(new URL('api/v1/events', baseUrl), { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body });
    return (await response.json()).accepted;
  }, count);
  return numbers;
}

const sorted = (numbers) => numbers.toSorted((a, b) => a - b);

/** Every event that was pushed, once; a repeat would make the list longer. */
const allShownOnce = (page) => eventually('each event once', async () => sorted(await shown(page)), Array.from({ length: next }, (_, n) => n));

/** The live tail: what is pushed while it runs is what it shows. These need a server that can be started anew. */
export const LIVE = {
  async 'the switch follows what comes'({ page, baseUrl }) {
    await push(baseUrl, 3);
    await page.goto(`?hour=2001-01-01T05&type=${TYPE}`);
    await toggle(page).click();
    await eventually('address', async () => [params(page).live, params(page).hour ?? null, params(page).type], ['on', null, TYPE]);
    await eventually('state', () => page.locator('.live-state').innerText(), 'Live');
    await allShownOnce(page);
    for (let i = 0; i < 10; i++) await push(baseUrl, 5);
    await allShownOnce(page);
    const rate = async () => (await push(baseUrl, 1), page.getByTestId('Now').innerText()); // of the last seconds alone
    await eventually('a rate', rate, (text) => /^[\d.]+\/s/.test(text) && !text.startsWith('0/s'));
    await eventually('newest first', () => page.locator('.event .event-toggle').allInnerTexts(), (all) => all.length > 0 && all.every((time, i) => i === 0 || time <= all[i - 1]));
  },

  async 'what comes late is marked, and shown once'({ page, baseUrl, screenshots }) {
    const numbers = await push(baseUrl, 2, SETTLED_MILLIS);
    await allShownOnce(page);
    // On a busy machine others may have come late too.
    await eventually('late', () => late(page), (all) => numbers.every((n) => all.includes(n)));
    const { length } = await late(page);
    await eventually('marks', () => page.locator('.event .late').count(), length);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await accessible(page, `live, ${colorScheme}`);
      if (screenshots) await page.screenshot({ path: `${screenshots}/live-${colorScheme}.png` });
    }
  },

  async 'nothing is lost or repeated while the server is killed, and while it is stopped'({ page, baseUrl, restart }) {
    for (const how of ['kill', 'stop']) {
      const pushing = (async () => {
        for (let i = 0; i < 40; i++) await push(baseUrl, 5, i % 10 === 9 ? SETTLED_MILLIS : 0);
      })();
      await Promise.all([restart(how), pushing]);
      await eventually('state', () => page.locator('.live-state').innerText(), 'Live');
      await push(baseUrl, 5);
      await allShownOnce(page);
    }
    const response = await fetch(new URL(`api/v1/events?type=${TYPE}&limit=all&format=ndjson`, baseUrl));
    const stored = (await response.text()).trimEnd().split('\n').map((line) => JSON.parse(line).data.n);
    await eventually('as the store has them', async () => sorted(await shown(page)), sorted(stored));
    page.kept.complaints = page.kept.complaints.filter((complaint) => !complaint.includes('Failed to load resource'));
  },

  async 'it stands still while the reader is elsewhere or reads, and counts what waits'({ page, baseUrl }) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
    const before = await shown(page);
    await push(baseUrl, 7);
    await eventually('waiting', () => waiting(page), 'Show 7 new events');
    await eventually('shown', async () => (await shown(page)).length, before.length);
    await page.locator('.live-waiting button').click();
    await allShownOnce(page);
    await eventually('back at the top', () => page.locator('.event').first().getAttribute('data-index'), '0');
    await page.locator('.event .event-toggle').first().click();
    await push(baseUrl, 1);
    await eventually('waiting', () => waiting(page), 'Show 1 new event');
    await page.locator('.event .event-toggle').first().click();
    await allShownOnce(page);
    await eventually('waiting', () => page.locator('.live-waiting').count(), 0);
  },

  async 'it is paused by a key, and goes on with what came'({ page, baseUrl }) {
    await page.evaluate(() => document.activeElement.blur());
    const state = () => page.locator('.live-state').innerText();
    for (const key of ['p', ' ']) {
      const before = (await shown(page)).length;
      await page.keyboard.press(key);
      await eventually('state', state, 'Paused');
      await push(baseUrl, 2);
      await eventually('waiting', () => waiting(page), 'Show 2 new events');
      await eventually('shown', async () => (await shown(page)).length, before);
      await page.keyboard.press(key);
      await eventually('state', state, 'Live');
      await allShownOnce(page);
    }
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await eventually('state', state, 'Paused');
    await push(baseUrl, 1);
    await eventually('waiting', () => waiting(page), 'Show 1 new event');
    await page.locator('.live-waiting button').click();
    await eventually('state', state, 'Live');
    await allShownOnce(page);
  },

  async 'a thousand events a second are shown without long tasks, in a heap that stays as it is'({ browser, baseUrl, liveSeconds, timed, log }) {
    const page = await open(browser, baseUrl);
    await standsTheLoad({ page, baseUrl, seconds: liveSeconds, timed, log });
    await page.context().close();
  },

  async 'the switch ends it, and a link begins it'({ page, baseUrl }) {
    await toggle(page).click();
    await eventually('address', async () => params(page).live ?? null, null);
    await eventually('list', () => page.locator('events-panel').count(), 1);
    await page.goto(`?live=on&type=${TYPE}&q=${encodeURIComponent('_exists_:n')}`);
    await eventually('checked', () => toggle(page).getAttribute('aria-checked'), 'true');
    const numbers = await push(baseUrl, 4);
    await eventually('what comes', () => shown(page), (all) => numbers.every((n) => all.includes(n)));
  },
};
