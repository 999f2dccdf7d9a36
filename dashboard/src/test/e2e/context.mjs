import { accessible, eventually, params, visit } from './browser.mjs';

const ids = (events) => events.map(({ id }) => id);

/** An hour of the check's own. */
const TRACE_HOUR = '2026-11-16T08';

const eventsOf = async (baseUrl, query) => (await (await fetch(new URL(`api/v1/events?${query}`, baseUrl))).json()).events;

/** The ids of the events around the one, as the links of the list name them. */
const listed = (page) => page.locator('.surroundings a').evaluateAll((all) => all.map((a) => new URL(a.href).searchParams.get('event')));

/** An event among others: those before and after it, and all with one id. They run in order, on one page. */
export const CONTEXT = {
  async 'an event is shown among its neighbours, with more on both sides'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, `hour=${hour}&order=asc&limit=200`);
    const nth = 100;
    const { id, type, time } = all[nth];
    const after = new Date(Date.parse(time) + 1).toISOString();
    await visit(page, `?from=${hour}:00:00Z&to=${after}&order=desc`);
    await page.locator('.event .event-toggle').first().click();
    await page.locator('.detail').getByRole('button', { name: 'Before and after' }).click();
    await eventually('address', async () => [params(page).event, params(page).of, params(page).context], [id, type, 'on']);
    await eventually('marked', () => page.locator('.surroundings [aria-current]').count(), 1);
    await eventually('in the window', () => page.locator('.surroundings .itself').evaluate((row) => row.getBoundingClientRect().top > 0 && row.getBoundingClientRect().bottom < innerHeight), true);
    const around = () => listed(page).then((found) => [found.indexOf(id), found.length]);
    await page.getByRole('button', { name: 'Earlier events' }).click();
    await page.getByRole('button', { name: 'Later events' }).click();
    await eventually('more on both sides', around, ([at, length]) => at >= 30 && length - at > 30);
    const [at, length] = await around();
    await eventually('as time went', () => listed(page), ids(all.slice(nth - at, nth - at + length)));
    await accessible(page, 'before and after');
  },

  async 'of its type, the neighbours are of its type'({ page }) {
    const type = params(page).of;
    await page.getByRole('button', { name: 'This type' }).click();
    await eventually('types', () => page.locator('.surroundings .event-type-name').allInnerTexts(), (types) => types.length > 20 && types.every((one) => one === type));
  },

  async 'a row leads to its neighbours under the pointer'({ page, hour }) {
    await visit(page, `?hour=${hour}&order=asc`);
    const row = page.locator('.event[data-index="3"]');
    await row.locator('.event-row').hover();
    await row.locator('.event-around').click();
    await eventually('address', async () => params(page).context, 'on');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await eventually('closed', async () => [params(page).event ?? null, params(page).context ?? null], [null, null]);
  },

  async 'an id leads to all that has it, of all types, as time went'({ page, baseUrl }) {
    const event = (type, second) => ({ type, id: `trace-${second}`, time: `${TRACE_HOUR}:59:${second}.000Z`, trace_id: 'c0ffee' });
    const body = JSON.stringify([event('trace.a', 10), event('trace.b', 20), event('trace.a', 30)]);
    await fetch(new URL('api/v1/events', baseUrl), { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    await visit(page, `?hour=${TRACE_HOUR}&type=trace.b&order=desc`);
    await page.locator('.event .event-toggle').first().click();
    await page.locator('.detail').getByRole('button', { name: /^All with data.trace_id/ }).click();
    await eventually('address', async () => [params(page).q, params(page).type ?? null, params(page).order, params(page).hour], ['trace_id:=c0ffee', null, 'asc', TRACE_HOUR]);
    await eventually('all of them', () => page.locator('.event .event-type-name').allInnerTexts(), ['trace.a', 'trace.b', 'trace.a']);
  },
};
