import { KEPT_MAX } from '../../main/web/state/live-feed.js';
import { eventually } from './browser.mjs';

/** Events a second that the page is to take without a stutter. */
const RATE = 1_000;

/** Pushes a second, each of a share of the events. */
const PUSHES = 10;

/** The longest that a task of the page may keep the processor: longer ones are felt. */
const TASK_MILLIS_MAX = 50;

/** One task in so many may take longer, since a collection of garbage or another process may fall into it. */
const TASKS_FOR_ONE_LONG = 500;

/** Tasks are looked at for so long at most: a trace of them is large. */
const TRACE_MILLIS_MAX = 30_000;

/** What the browser keeps of code and of its own grows for so long at most. */
const WARM_UP_MILLIS_MAX = 60_000;

/** How much the heap and the nodes may grow once all that is kept is there. */
const GROWTH_MAX = 1.15;

/**
 * Kept events hold the pieces of text that they came in, which are longer or shorter: the heap goes up and down by
 * that.
 */
const HEAP_NOISE_BYTES = 2e6;

/** The least of so many measurements, a second apart, is that of the shortest pieces. */
const HEAP_LOOKS = 3;

const PATHS = ['/', '/cart', '/search', '/product/4711', '/help'];

/** An event as a shop's server might log it. */
const madeUp = (n, type) => ({
  type, time: new Date().toISOString(), n, path: PATHS[n % PATHS.length], status: n % 50 === 0 ? 503 : 200, ms: (n * 7919) % 900, session: `s${n % 997}`, country: ['DE', 'FR', 'JP'][n % 3],
  user: { id: n, plan: 'team', tags: ['eu', 'beta'] }, agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
});

/** Pushes events of now at the rate until `stop`; a push that is late is made up for. */
function pushing(baseUrl, type) {
  let stopped = false;
  let sent = 0;
  const began = performance.now();
  const done = (async () => {
    while (!stopped) {
      const due = Math.floor(((performance.now() - began) / 1000) * RATE) - sent;
      if (due >= RATE / PUSHES) {
        const body = Array.from({ length: due }, (_, i) => JSON.stringify(madeUp(sent + i, type))).join('\n');
        sent += due;
        await fetch(new URL('api/v1/events', baseUrl), { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body });
      }
      await new Promise((resolve) => setTimeout(resolve, 1000 / PUSHES / 4));
    }
    return sent;
  })();
  return { stop: () => ((stopped = true), done) };
}

/** The used heap after a collection, in bytes, and the nodes of the document. */
async function heapOf(cdp, wait) {
  const looks = [];
  while (looks.length < HEAP_LOOKS) {
    await cdp.send('HeapProfiler.collectGarbage');
    looks.push((await cdp.send('Runtime.getHeapUsage')).usedSize);
    await wait(1000);
  }
  const { nodes } = await cdp.send('Memory.getDOMCounters');
  return { usedSize: Math.min(...looks), nodes };
}

/** The processor time of each task of the page's main thread while `run` runs, in milliseconds, the longest first. */
async function tasksOf(cdp, run) {
  const events = [];
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value.filter(({ name, ph }) => (name === 'RunTask' && ph === 'X') || name === 'thread_name')));
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline', 'devtools.timeline', '__metadata'] } });
  await run();
  await cdp.send('Tracing.end');
  await complete;
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  return events.filter(({ name, pid, tid }) => name === 'RunTask' && mains.has(`${pid} ${tid}`)).map(({ tdur, dur }) => (tdur ?? dur) / 1000).sort((a, b) => b - a);
}

/**
 * Fails where the live view grows while events of now come at the rate, for so many seconds; and where it stutters, if
 * it is timed: that needs a machine that does nothing else.
 */
export async function standsTheLoad({ page, baseUrl, seconds, timed, log }) {
  const type = 'live-load';
  const cdp = await page.context().newCDPSession(page);
  const push = pushing(baseUrl, type);
  await page.goto(`?live=on&type=${type}`);
  const received = () => page.evaluate(() => document.querySelector('live-panel')?.feed?.received ?? 0);
  await eventually('all that is kept', received, (n) => n > KEPT_MAX);
  const wait = (millis) => page.waitForTimeout(millis);
  await wait(Math.min(WARM_UP_MILLIS_MAX, 200 * seconds));
  const before = await heapOf(cdp, wait);
  const [from, fromMillis] = [await received(), performance.now()];
  const traced = Math.min(TRACE_MILLIS_MAX, 500 * seconds);
  await wait(1000 * seconds - traced);
  const tasks = await tasksOf(cdp, () => wait(traced));
  const rate = (1000 * ((await received()) - from)) / (performance.now() - fromMillis);
  const after = await heapOf(cdp, wait);
  await push.stop();
  await cdp.detach();

  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  log(`    ${Math.round(rate)} events/s for ${seconds} s: longest tasks ${tasks.slice(0, 3).map((millis) => millis.toFixed(0)).join(', ')} ms, heap ${megabytes(before.usedSize)} to ${megabytes(after.usedSize)} MB, nodes ${before.nodes} to ${after.nodes}`);
  const long = tasks.filter((millis) => millis > TASK_MILLIS_MAX);
  if (tasks.length === 0) throw new Error('no task was seen');
  if (timed && long.length > Math.ceil(tasks.length / TASKS_FOR_ONE_LONG)) throw new Error(`${long.length} of ${tasks.length} tasks over ${TASK_MILLIS_MAX} ms`);
  if (after.usedSize > GROWTH_MAX * before.usedSize + HEAP_NOISE_BYTES) throw new Error(`the heap grows from ${before.usedSize} to ${after.usedSize} bytes`);
  if (after.nodes > GROWTH_MAX * before.nodes) throw new Error(`nodes grow from ${before.nodes} to ${after.nodes}`);
}
