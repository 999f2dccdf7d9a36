import { eventually, open, params, total, visit } from './browser.mjs';
import { eventsOf } from './oracle.mjs';

const within = (events, from, to) => events.filter(({ time }) => time >= from && time < to).length;
const range = (page) => [params(page).from, params(page).to];
const openRange = (page) => page.locator('[data-name="range"] > summary').click();
const show = (page) => page.locator('.range-form').getByRole('button', { name: 'Show' }).click();

const fill = async (page, from, to) => {
  await page.getByLabel('From', { exact: true }).fill(from);
  await page.getByLabel('To, not included').fill(to);
  await page.getByLabel('To, not included').blur();
};

/** Spans of time other than an hour: what the page then shows is what the events of the hour say. */
export const TIMES = {
  async 'a brush over the chart zooms in, and Back comes back'({ page, baseUrl, hour, events }) {
    const all = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}`);
    await eventually('total', () => total(page), events);
    const plot = await page.locator('.hits-plot .u-over').boundingBox();
    const at = (share) => [plot.x + share * plot.width, plot.y + 20];
    await page.mouse.move(...at(0.253));
    await page.mouse.down();
    await page.mouse.move(...at(0.4), { steps: 5 });
    await page.mouse.move(...at(0.497), { steps: 5 });
    await page.mouse.up();
    await eventually('address', async () => range(page), [`${hour}:15:00Z`, `${hour}:30:00Z`]);
    await eventually('total', () => total(page), within(all, `${hour}:15:00`, `${hour}:30:00`));
    await eventually('step', () => page.locator('#hits-title').innerText(), (text) => text.startsWith('Events per 10 s'));
    await page.goBack();
    await eventually('total', () => total(page), events);
  },

  async 'the keyboard zooms in, and Zoom out leads out'({ page, baseUrl, hour, events }) {
    const all = await eventsOf(baseUrl, hour);
    await page.mouse.move(0, 0);
    await visit(page, `?hour=${hour}`);
    await eventually('total', () => total(page), events);
    await page.locator('.hits-plot').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await eventually('selected pixels', () => page.locator('.u-select').evaluate((s) => s.offsetWidth), (n) => n > 20);
    await page.keyboard.press('Enter');
    await eventually('address', async () => range(page), [`${hour}:00:00Z`, `${hour}:03:00Z`]);
    await eventually('total', () => total(page), within(all, `${hour}:00:00`, `${hour}:03:00`));
    await page.getByRole('button', { name: 'Next range' }).click();
    await eventually('the next range', async () => range(page), [`${hour}:03:00Z`, `${hour}:06:00Z`]);
    await eventually('total', () => total(page), within(all, `${hour}:03:00`, `${hour}:06:00`));
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await eventually('twice as much around its middle', async () => range(page), [`${hour}:01:30Z`, `${hour}:07:30Z`]);
    await eventually('total', () => total(page), within(all, `${hour}:01:30`, `${hour}:07:30`));
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await eventually('twice as much again', async () => range(page)[1], `${hour}:10:30Z`);
  },

  async 'a range is chosen by the clock of UTC or of the reader'({ page, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    await visit(page, `?hour=${hour}`);
    await openRange(page);
    await fill(page, `${hour}:10:00`, `${hour}:12:30`);
    await show(page);
    const asked = [`${hour}:10:00Z`, `${hour}:12:30Z`];
    await eventually('address', async () => range(page), asked);
    await eventually('total', () => total(page), within(all, `${hour}:10:00`, `${hour}:12:30`));
    await openRange(page);
    const local = (time) => new Date(Date.parse(time) - 5 * 3_600_000).toISOString().slice(0, 19);
    await page.getByRole('button', { name: 'New York (UTC−5)' }).click();
    await eventually('the field', () => page.getByLabel('From', { exact: true }).inputValue(), local(asked[0]).replace('T', ' '));
    await fill(page, local(`${hour}:20:00Z`), local(`${hour}:21:00Z`));
    await show(page);
    await eventually('address', async () => range(page), [`${hour}:20:00Z`, `${hour}:21:00Z`]);
    const shown = local(`${hour}:20:00Z`);
    await eventually('time zone in the address', async () => params(page).tz, 'local');
    await eventually('heading', () => page.locator('h1').innerText(), (text) => text.includes(shown.slice(11, 16)) && text.endsWith('New York'));
    await eventually('range', () => page.locator('[data-name="range"] > summary').innerText(), (text) => text.includes(shown.slice(11, 16)) && text.endsWith('New York'));
    await eventually('table', () => page.locator('.events-head').innerText(), (text) => text.includes('Time (New York)'));
    await eventually('events', () => page.locator('.event .event-toggle').allInnerTexts(), (all) => all.length > 0 && all.every((text) => text.startsWith(shown.slice(11, 16))));
    await page.locator('.hits-plot').hover({ position: { x: 300, y: 20 } });
    await eventually('tip', () => page.locator('.tip-head').innerText(), (text) => text.startsWith(shown.slice(11, 13)) && text.includes('New York'));
    await page.mouse.move(0, 0);
    await openRange(page);
    await page.getByRole('button', { name: 'UTC', exact: true }).click();
    await eventually('heading in UTC', () => page.locator('h1').innerText(), (text) => text.endsWith('08:20–08:21 UTC'.replaceAll('08', hour.slice(11))));
    await eventually('address', async () => params(page).tz ?? null, null);
  },

  async 'a range that ends before it begins is refused in words'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    await openRange(page);
    await fill(page, 'yesterday', `${hour}:09:00`);
    await show(page);
    await eventually('what is no time', () => page.locator('#range-wrong').innerText(), (text) => text.includes('“yesterday” is no time'));
    await fill(page, `${hour}:10:00`, `${hour}:09:00`);
    await show(page);
    await eventually('reason', () => page.locator('#range-wrong').innerText(), (text) => text.includes('later'));
    await page.keyboard.press('Escape');
    await eventually('sheet', () => page.locator('.range-form').isVisible(), false);
  },

  async 'the calendar leads to the day, and presets to now'({ page, hour, events }) {
    await visit(page, `?hour=${hour}`);
    await openRange(page);
    const day = new Date(`${hour}:00:00Z`).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
    await page.getByRole('button', { name: day }).focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await show(page);
    await eventually('day', async () => range(page)[0], `${hour.slice(0, 10)}T00:00:00Z`);
    await eventually('total', () => total(page), (n) => n >= events);
    await openRange(page);
    await page.getByRole('button', { name: 'Last 15 minutes' }).click();
    await eventually('length', async () => [params(page).last, ...range(page)], ['15m', undefined, undefined]);
    await eventually('choice', () => page.locator('[data-name="range"] > summary').innerText(), (text) => text.includes('Last 15 minutes'));
  },

  async 'a span that ends now goes on with the clock, when asked again'({ browser, baseUrl, hour }) {
    const all = await eventsOf(baseUrl, hour);
    const page = await open(browser, baseUrl);
    const shows = async (from, to) => {
      await eventually('span', () => page.getByTestId('hour-span').innerText(), `${hour.slice(11)}:${from.replace(':00', '')}–${hour.slice(11)}:${to}`);
      await eventually('total', () => total(page), within(all, `${hour}:${from}`, `${hour}:${to}`));
      await eventually('address', async () => [params(page).last, ...range(page)], ['15m', undefined, undefined]);
    };
    await page.clock.setFixedTime(new Date(`${hour}:20:30Z`));
    await visit(page, '?last=15m');
    await shows('05:30', '20:31');
    await page.clock.setFixedTime(new Date(`${hour}:30:00Z`));
    await page.getByRole('button', { name: 'Reload' }).click();
    await shows('15:00', '30:01');
    await page.clock.setFixedTime(new Date(`${hour}:40:00Z`));
    await page.getByRole('combobox', { name: 'Filter' }).fill('id != ""');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await shows('25:00', '40:01');
    await page.clock.setFixedTime(new Date(`${hour}:50:00Z`));
    await page.reload();
    await shows('35:00', '50:01');
    await page.getByRole('button', { name: 'Next range' }).click();
    await eventually('two times', async () => [params(page).last, ...range(page)], [undefined, `${hour}:50:01Z`, new Date(Date.parse(`${hour}:50:01Z`) + 901_000).toISOString().replace('.000', '')]);
    await page.context().close();
  },

  async 'the chart of a span that is under way ends now, by steps at round times'({ browser, baseUrl, hour }) {
    const page = await open(browser, baseUrl);
    await page.clock.setFixedTime(new Date(`${hour}:20:30.500Z`));
    const axis = () => page.locator('hits-chart').evaluate(({ stack: { times, endMillis, stepMillis } }) => [times[0], times.length, endMillis, stepMillis]);
    await visit(page, `?hour=${hour}`);
    // Its events are all there already, ahead of the clock: the chart has them.
    await eventually('with events ahead', async () => (await axis()).slice(1), [60, Date.parse(`${hour}:00:00Z`) + 3_600_000, 60_000]);
    await visit(page, `?hour=${hour}&q=${encodeURIComponent(`time:<${hour}:20:00Z`)}`);
    await eventually('to now', axis, [Date.parse(`${hour}:00:00Z`), 21, Date.parse(`${hour}:20:30.500Z`), 60_000]);
    await visit(page, '?last=15m');
    await eventually('of a length', axis, [Date.parse(`${hour}:05:30Z`), 91, Date.parse(`${hour}:20:30.500Z`), 10_000]);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await eventually('twice the length', async () => params(page).last, '30m');
    await eventually('plot', () => page.locator('.hits-plot').evaluate((plot) => plot.clientHeight), (pixels) => pixels >= 140);
    await page.context().close();
  },

  async 'a view refreshes itself, unless it is read'({ browser, baseUrl, hour }) {
    const page = await open(browser, baseUrl);
    await page.clock.install({ time: new Date(`${hour}:20:30Z`) });
    await visit(page, '?last=15m');
    await page.getByRole('combobox', { name: 'Refresh by itself' }).selectOption('5 s');
    await eventually('address', async () => [params(page).refresh, params(page).last], ['5s', '15m']);
    const span = () => page.getByTestId('hour-span').innerText();
    const spanAfterSecond = async () => (await page.clock.runFor(1_000), span());
    const newest = () => page.locator('.event .event-toggle').first().innerText();
    const [before, newestBefore] = [await span(), await newest()];
    await page.clock.pauseAt(new Date(`${hour}:40:00Z`)); // no refresh but those asked for here
    await eventually('span', spanAfterSecond, (text) => text > before);
    await eventually('events', newest, (text) => text !== newestBefore);
    await page.locator('.event .event-toggle').first().click();
    const read = await span();
    await page.clock.runFor(11_000);
    await eventually('span of what is read', span, read);
    await page.locator('.event .event-toggle').first().click();
    await eventually('span', spanAfterSecond, (text) => text > read);
    await page.context().close();
  },

  async 'a range of years names them, and shows no hours of a day'({ page, hour, events }) {
    await visit(page, '?from=2018-01-01T00:00:00Z&to=2027-01-01T00:00:00Z');
    await eventually('heading', () => page.locator('h1').innerText(), (text) => text.includes('1 Jan 2018 00:00 – 1 Jan 2027 00:00 UTC'));
    await eventually('total', () => total(page), (n) => n >= events);
    await eventually('busiest', () => page.locator('.chart-note').innerText(), (text) => / 20\d\d UTC/.test(text));
    await eventually('time of an event', () => page.locator('.event .event-toggle').first().innerText(), (text) => text.includes(hour.slice(0, 4)));
    await openRange(page);
    await eventually('strips', async () => [await page.locator('month-grid').count(), await page.locator('day-strip').count()], [1, 0]);
    await visit(page, `?hour=${hour}`);
    await openRange(page);
    await eventually('strip of a day', () => page.locator('day-strip').count(), 1);
  },

  async 'an empty range says so and leads out'({ page }) {
    await visit(page, '?from=2001-01-01T05:10:00Z&to=2001-01-01T05:20:00Z');
    await eventually('reason', () => page.locator('.callout').first().innerText(), (text) => text.includes('No events in this range') && text.includes('between 05:10 and 05:20 UTC on Monday 1 January 2001'));
    await page.locator('nearest-hours button').first().click();
    await eventually('total', () => total(page), (n) => n > 0);
  },
};
