import { hasValue } from '../../main/web/model/filter/field-clauses.js';
import { accessible, eventually, number, params, total, visit } from './browser.mjs';

const FIELD = 'data.path';

const plot = (page) => page.locator('.hits-plot');
const legend = (page) => page.locator('.legend-name').allInnerTexts();
const sortedTexts = (texts) => [...texts].sort();

const json = async (baseUrl, path) => (await fetch(new URL(path, baseUrl))).json();

/** The values of the field with most events, as the server has them. */
const topValues = async (baseUrl, hour, n) => (await json(baseUrl, `api/v1/top?hour=${hour}&field=${FIELD}&n=${n}`)).values;

/** Chooses in one of the lists of the chart's head: by its label, and the name of a field. */
async function choose(page, label, name) {
  await page.locator(`field-choice [data-name=${label}] summary`).click();
  const choice = page.locator(`field-choice:has([data-name=${label}])`);
  await choice.locator('.choice-search').fill(name);
  await eventually('found', () => choice.locator('.choice-name').first().innerText(), name);
  await page.keyboard.press('Enter');
}

const numbersShown = async (page) => {
  const cells = await page.locator('.hits-numbers tbody tr > :last-child').allInnerTexts();
  return cells.map(number).reduce((a, b) => a + b, 0);
};

/** The chart: what it counts, by what, and where its parts lead. They run in order, on one page. */
export const CHART = {
  async 'it is broken down by a field, whose groups add up'({ page, baseUrl, hour, events }) {
    await visit(page, `?hour=${hour}`);
    await choose(page, 'by', 'path');
    await eventually('address', async () => params(page).by, FIELD);
    const { series } = await json(baseUrl, `api/v1/hits?hour=${hour}&step=1m&by=${FIELD}&groups=10`);
    const names = series.map((s) => (s.other ? 'all others' : s.group.absent ? 'no such field' : s.group[FIELD]));
    await eventually('legend', async () => sortedTexts(await legend(page)), sortedTexts(names));
    await page.getByRole('button', { name: 'Show the numbers' }).click();
    await eventually('sum', () => numbersShown(page), events);
    await page.getByRole('button', { name: 'Show the numbers' }).click();
    await accessible(page, 'chart by a field');
  },

  async 'a name of the legend filters to its events, and with Alt to all others'({ page, baseUrl, hour, events }) {
    const [{ value, count }] = await topValues(baseUrl, hour, 1);
    await page.locator('.legend-only').filter({ hasText: value }).first().click();
    await eventually('clause', async () => params(page).q, hasValue('data.path', value));
    await eventually('total', () => total(page), count);
    await page.goBack();
    await eventually('total', () => total(page), events);
    await page.locator('.legend-only').filter({ hasText: value }).first().click({ modifiers: ['Alt'] });
    await eventually('total of the others', () => total(page), events - count);
    await page.goBack();
    await eventually('total', () => total(page), events);
    await page.getByRole('button', { name: `Without ${value}`, exact: true }).click();
    await eventually('total of the others, by the button', () => total(page), events - count);
  },

  async 'types have one order and one colour in the list of types, the legend, the tip and the numbers'({ page, hour }) {
    await visit(page, `?hour=${hour}`);
    const marks = (entry, name) => page.locator(entry).evaluateAll((all, name) => all.map((one) => [one.querySelector(name).innerText, getComputedStyle(one.querySelector('.swatch')).backgroundColor]), name);
    const listed = (await marks('.type-item', '.type-name')).filter(([, colour]) => colour !== 'rgba(0, 0, 0, 0)');
    const named = (all) => all.filter(([name]) => listed.some(([type]) => type === name));
    await eventually('colours', async () => new Set(listed.map(([, colour]) => colour)).size, listed.length);
    await eventually('legend', async () => named(await marks('.legend-entry', '.legend-name')), listed);
    await plot(page).hover({ position: { x: 500, y: 30 } });
    const tip = () => marks('.tip p:has(.swatch)', '.tip-name');
    await eventually('tip', async () => named(await tip()), (all) => all.length > 0 && JSON.stringify(all) === JSON.stringify(listed.filter(([type]) => all.some(([name]) => name === type))));
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Show the numbers' }).click();
    await eventually('numbers', async () => (await page.locator('.hits-numbers thead th').allInnerTexts()).filter((name) => listed.some(([type]) => type === name)), listed.map(([type]) => type));
    await page.getByRole('button', { name: 'Show the numbers' }).click();
  },

  async 'the sign to leave a type out is seen with the pointer or the focus on its name'({ page }) {
    const entry = page.locator('.legend-entry').first();
    const opacity = () => entry.locator('.legend-others .icon').evaluate((icon) => getComputedStyle(icon).opacity);
    await page.mouse.move(0, 0);
    await eventually('at first', opacity, '0');
    await entry.hover();
    await eventually('under the pointer', opacity, '1');
    await page.mouse.move(0, 0);
    await eventually('without it', opacity, '0');
    await entry.locator('.legend-only').focus();
    await eventually('with the focus', opacity, '1');
    await page.keyboard.press('Tab');
    await eventually('itself in focus', () => entry.locator('.legend-others').evaluate((button) => button === document.activeElement), true);
  },

  async 'a type of the legend is chosen, or left out by a clause'({ page, hour, types: [type], events }) {
    await visit(page, `?hour=${hour}`);
    await page.locator('.legend-only').filter({ hasText: type }).first().click();
    await eventually('type', async () => params(page).type, type);
    await eventually('total', () => total(page), (n) => n > 0 && n < events);
    const one = await total(page);
    await page.goBack();
    await eventually('all types', () => total(page), events);
    await page.getByRole('button', { name: `Without ${type}`, exact: true }).click();
    await eventually('total of the others', () => total(page), events - one);
  },

  async 'a click on a bar shows its time, and Back comes back'({ page, hour, events }) {
    await visit(page, `?hour=${hour}`);
    const { width, height } = await plot(page).boundingBox();
    await plot(page).click({ position: { x: width / 2, y: height / 2 } });
    await eventually('a minute', async () => Date.parse(params(page).to) - Date.parse(params(page).from), 60_000);
    await page.goBack();
    await eventually('total', () => total(page), events);
  },

  async 'the tip is never over the bars'({ page }) {
    await page.evaluate(() => scrollTo(0, 0));
    for (const x of [0.1, 0.5, 0.97]) {
      // Measured anew each time: what is still loaded moves the chart.
      const apart = async () => {
        const box = await plot(page).boundingBox();
        await page.mouse.move(box.x + x * box.width, box.y + box.height / 2);
        const tip = await page.locator('.tip').boundingBox();
        return (tip.y >= box.y + box.height || tip.y + tip.height <= box.y) && tip.x >= 0 && tip.x + tip.width <= page.viewportSize().width;
      };
      await eventually(`off the bars, in the window, at ${x}`, apart, true);
    }
    await page.mouse.move(0, 0);
  },

  async 'a figure of a number is drawn in lines, as the server has it'({ page, baseUrl, hour }) {
    await visit(page, `?hour=${hour}&measure=p99`);
    await eventually('asks for a field', () => page.locator('.hits-nothing').innerText(), (text) => text.includes('Choose'));
    await visit(page, `?hour=${hour}`);
    await page.locator('[data-field="data.ms"]').waitFor();
    await page.getByLabel('Measure').selectOption('p99');
    await eventually('the number that is meant', async () => params(page).number, 'data.ms');
    const { fields } = await json(baseUrl, `api/v1/fields?hour=${hour}`);
    const { field } = fields.find((f) => f.kinds.number > 0 && f.kinds.number === f.events);
    await choose(page, 'of', field.replace(/^data\./, ''));
    await choose(page, 'by', 'nothing');
    await eventually('address', async () => [params(page).measure, params(page).number, params(page).by], ['p99', field, 'none']);
    const { series } = await json(baseUrl, `api/v1/stats?hour=${hour}&step=1m&field=${field}`);
    await eventually('line', () => page.locator('hits-chart').evaluate((chart) => chart.stack?.layers.map(({ values }) => values)), series.map((s) => s.p99));
    await accessible(page, 'lines');
  },

  async 'a log axis is a choice, kept in the address'({ page, hour }) {
    await visit(page, `?hour=${hour}&by=none`);
    const painted = () => page.locator('hits-chart canvas').evaluate((canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return data.reduce((sum, byte, i) => sum + (i % 4 === 3 && byte > 0), 0);
    });
    const linear = await painted();
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await eventually('address', async () => params(page).scale, 'log');
    await eventually('another drawing', painted, (n) => n > 0 && n !== linear);
    await page.reload();
    await eventually('pressed', () => page.getByRole('button', { name: 'Log', exact: true }).getAttribute('aria-pressed'), 'true');
  },
};
