#!/usr/bin/env node
/**
 * Ten tasks of an on-call engineer, done in the browser on the story of `hourglass demo`: counts the clicks, keys and
 * seconds of each, and prints them as a table. Fails where a task has no answer, or a wrong one. Exit codes as of
 * page.mjs.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { eventually, launch, number, open, quiet, total, visit } from './browser.mjs';

const USAGE = `usage: tasks.mjs URL [-- COMMAND ...]
  URL      where hourglass demo serves, begun in the last three minutes
  COMMAND  starts the hourglass program, such as ./hourglass: for the task in the terminal`;

const { positionals } = parseArgs({ allowPositionals: true });
const [baseUrl, ...program] = positionals;
if (!baseUrl || program.length === 0) {
  console.error(USAGE);
  process.exit(2);
}

const BROKEN_HOST = 'pay-2';
const SLOW_MILLIS = 2_000;

const json = async (path) => (await fetch(new URL(path, baseUrl))).json();
const since = (minutes) => `from=${new Date(Date.now() - minutes * 60_000).toISOString()}&to=${new Date().toISOString()}`;

/** When the broken version was deployed, in milliseconds. */
async function deployed() {
  const { events } = await json(`/api/v1/events?${since(60)}&type=deploy`);
  return Date.parse(events.find(({ data }) => data.host === BROKEN_HOST && data.version === '2.8.0').time);
}

/** What a person does: each click and key counts. */
class Person {
  clicks = 0;
  keys = 0;

  constructor(page) {
    this.page = page;
  }

  async click(locator) {
    this.clicks++;
    await locator.click();
  }

  async choose(locator, option) {
    this.clicks += 2;
    await locator.selectOption(option);
  }

  async type(locator, text) {
    this.keys += text.length;
    await locator.fill(text);
  }

  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  field(name) {
    return this.page.locator(`[data-field="data.${name}"]`);
  }

  async pick(list, name) {
    const choices = this.page.locator(`[data-name="${list}"]`);
    await this.click(choices.locator('> summary'));
    await this.click(choices.locator('.choice-line').filter({ has: this.page.getByText(name, { exact: true }) }));
  }

  async range(name) {
    await this.click(this.page.locator('[data-name="range"] > summary'));
    await this.click(this.button(name));
  }
}

const types = (page) => page.locator('.event .event-type-name').allInnerTexts();
const type = (page, name) => page.locator(`type-picker [data-type="${name}"]`);

/** Waits until the page lists and counts the errors of so many minutes; returns the server's count. */
async function errorsShown(page, minutes) {
  await eventually('types listed', () => types(page), (shown) => shown.length > 10 && shown.every((name) => name === 'error'));
  const { total: asked } = await json(`/api/v1/hits?${since(minutes)}&type=error`);
  await eventually('errors', () => total(page), (shown) => Math.abs(shown - asked) <= asked / 10);
  return asked;
}

/** In order and on one page: each begins where the one before ended. */
const TASKS = {
  async 'find the errors of the last 15 minutes'(person) {
    const { page } = person;
    await person.range('Last 15 minutes');
    await person.click(type(page, 'error'));
    return `${await errorsShown(page, 15)} errors`;
  },

  async 'which host has them'(person) {
    await person.click(person.field('host'));
    const first = person.page.locator('field-values li, field-values tr').first();
    await eventually('most errors', () => first.innerText(), (text) => text.includes(BROKEN_HOST));
    return BROKEN_HOST;
  },

  async 'since when'(person) {
    const { page } = person;
    await person.click(person.page.locator('field-values').getByRole('button', { name: new RegExp(`^Only .*${BROKEN_HOST}`) }));
    await person.click(person.button('Oldest first'));
    const first = Date.parse((await json(`/api/v1/events?${since(60)}&type=error&limit=1&where=${encodeURIComponent(`data.host == "${BROKEN_HOST}"`)}`)).events[0].time);
    await eventually('first time', () => page.locator('.event-toggle').first().innerText(), (time) => time.includes(new Date(first).toISOString().slice(11, 23)));
    return `${Math.round((first - (await deployed())) / 1000)} s after the deploy`;
  },

  async 'what else did that session do'(person) {
    const { page } = person;
    const pair = page.locator('.event .pair').filter({ has: page.getByText('session', { exact: true }) }).first();
    const session = (await pair.innerText()).replace(/^session\s*/, '');
    await person.click(page.locator('.event .event-toggle').first());
    await person.click(page.getByRole('button', { name: /^All with .*session/ }).first());
    const all = await json(`/api/v1/events?${since(15)}&where=${encodeURIComponent(`data.session == "${session}"`)}`);
    if (all.events.length === 0) throw new Error(`no events of session ${session}`);
    // Meanwhile the range moves on, and the session may.
    await eventually('events of the session', () => total(page), (n) => n > 0 && Math.abs(n - all.events.length) <= 2);
    return `${all.events.length} events`;
  },

  async 'p99 by path, before and after the deploy'(person) {
    const { page } = person;
    await person.click(person.button('Clear'));
    await person.range('Last 60 minutes');
    await person.choose(page.getByLabel('Measure'), 'p99');
    await eventually('the number that is meant', () => page.locator('[data-name="of"] > summary').innerText(), (text) => text.endsWith('ms'));
    await person.pick('by', 'path');
    await person.click(person.button('Show the numbers'));
    const at = await deployed();
    const clock = (minutes) => new Date(at + minutes * 60_000).toISOString().slice(11, 16);
    const worst = async (from, to) => {
      const asked = Array.from({ length: to - from }, (_, i) => clock(from + i));
      const { headers, rows } = await page.locator('.hits-numbers table').evaluate((table) => ({
        headers: [...table.querySelectorAll('thead th')].map((cell) => cell.innerText),
        rows: [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.innerText)),
      }));
      const column = headers.indexOf('/pay');
      const minutes = rows.filter(([time]) => asked.includes(time.slice(0, 5))).map((row) => number(row[column] ?? '')).filter((n) => n >= 0);
      return Math.max(...minutes);
    };
    await eventually('p99 of /pay before', () => worst(-20, -2), (ms) => ms > 0 && ms < SLOW_MILLIS);
    await eventually('p99 of /pay after', () => worst(1, 8), (ms) => ms > SLOW_MILLIS);
    return `/pay ${await worst(-20, -2)} to ${await worst(1, 8)} ms`;
  },

  async 'share it'(person) {
    const { page } = person;
    const shown = await page.getByLabel('Measure').inputValue();
    const other = await open(person.browser, baseUrl);
    await visit(other, page.url());
    await eventually('measure of a colleague', () => other.getByLabel('Measure').inputValue(), shown);
    await eventually('chart of a colleague', () => other.locator('.legend').innerText(), (text) => text.includes('/pay'));
    await quiet(other);
    await other.context().close();
    return 'the address';
  },

  async 'export the errors'(person) {
    const { page } = person;
    await person.click(type(page, 'error'));
    await errorsShown(page, 60);
    const expected = await total(page);
    await person.click(page.locator('[data-name="download"] > summary'));
    const [file] = await Promise.all([page.waitForEvent('download'), person.click(page.locator('[data-name="download"]').getByRole('link', { name: /CSV/ }))]);
    const lines = readFileSync(await file.path(), 'utf8').trim().split('\n').length - 1;
    if (Math.abs(lines - expected) > 20) throw new Error(`${lines} lines of CSV, ${expected} events shown`);
    return `${lines} lines`;
  },

  async 'follow it live'(person) {
    const { page } = person;
    await person.click(type(page, 'error'));
    await person.click(page.getByRole('switch', { name: 'Live' }));
    const newest = () => page.locator('.event-toggle').first().innerText();
    await eventually('an event', newest, (time) => /\d\d:\d\d/.test(time));
    const before = await newest();
    await eventually('a newer event', newest, (time) => time !== before);
    return 'newer events';
  },

  async 'the same in the terminal'(person) {
    const line = ['query', '--since', '15m', '--type', 'error', '--where', `data.host == "${BROKEN_HOST}"`, '--limit', 'all', '--format', 'ndjson', '--target', baseUrl];
    person.keys += `./hourglass query --since 15m --type error --where 'data.host == "${BROKEN_HOST}"'\n`.length;
    const { status, stdout, stderr } = spawnSync(program[0], [...program.slice(1), ...line], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const lines = stdout.trim().split('\n');
    if (status !== 0 || !lines.every((each) => JSON.parse(each).data.host === BROKEN_HOST)) throw new Error(`exit code ${status}: ${stderr}`);
    return `${lines.length} events`;
  },

  async 'which type is hot'(person) {
    const { page } = person;
    await person.click(page.getByRole('link', { name: 'System', exact: true }).or(person.button('System')));
    await person.click(page.getByRole('tab', { name: 'Rows' }));
    const { rows } = await json(`/api/v1/rows?${since(60)}`);
    const widest = rows.toSorted((a, b) => b.columns - a.columns)[0].row.split('|')[1];
    await eventually('widest row', () => page.locator('rows-panel').innerText(), (text) => text.includes(widest));
    return widest;
  },
};

const browser = await launch();
const page = await open(browser, baseUrl);
const results = [];
try {
  await visit(page, '');
  for (const [name, run] of Object.entries(TASKS)) {
    const person = Object.assign(new Person(page), { browser });
    const started = performance.now();
    const answer = await run(person);
    results.push([name, person.clicks, person.keys, ((performance.now() - started) / 1000).toFixed(1), answer]);
    console.log(`ok      ${name}`);
  }
  await quiet(page);
} catch (e) {
  console.log(`FAILED  ${Object.keys(TASKS)[results.length] ?? 'console'}\n        ${e.message}`);
  process.exitCode = 1;
} finally {
  await browser.close();
}
console.log(['\n| task | clicks | keys | seconds | answer |', '|---|---|---|---|---|', ...results.map((result) => `| ${result.join(' | ')} |`)].join('\n'));
