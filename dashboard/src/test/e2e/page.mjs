#!/usr/bin/env node
/**
 * Drives the dashboard of a running Hourglass in a real Chromium. Exit codes: 0 all holds, 1 something does not, 2
 * wrong usage.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { eventually, forgive, intercept, launch, open, quiet } from './browser.mjs';
import { CHART } from './chart.mjs';
import { CHECKS } from './checks.mjs';
import { CONTEXT } from './context.mjs';
import { EVENTS } from './events.mjs';
import { FAULTS } from './faults.mjs';
import { FIELDS } from './fields.mjs';
import { LIVE } from './live.mjs';
import { look, VIEWS } from './looks.mjs';
import { MAIN_PATH } from './main-path.mjs';
import { READER } from './reader.mjs';
import { SEARCHES } from './search.mjs';
import { SIGN_IN } from './signin.mjs';
import { SPEED } from './speed.mjs';
import { TIMES } from './times.mjs';

const USAGE = `usage: page.mjs URL --hour 2026-11-20T08 --total EVENTS --types TYPE,TYPE [--odd HOUR] [--dropped HOUR] [--large HOUR:EVENTS] [--restarts] [--signin] [--made-up] [--live-seconds N] [--timed] [--main] [--only GROUP,GROUP] [--screenshots DIR]
  URL      where Hourglass serves; that hour holds so many events, among them some of each of these types
  --odd    another hour, whose events have fields and values of all kinds
  --dropped  an hour that had events and was dropped
  --large  an hour of very many events, and how many: how soon it can be used is measured
  --restarts  whoever runs this starts the server anew on the same address when a line "restart: kill" or "restart: stop" is printed
  --signin  the server has the keys of signin.mjs; a line "revoke: NAME" asks whoever runs this to revoke one
  --made-up  the server is the made-up one, which revokes by itself
  --live-seconds  how long the live view is loaded, 15 by default
  --timed  the machine does nothing else: the live view must not stutter
  --main   the main path alone, a few checks of some groups
  --only   of the groups of checks, which a wrong name lists
  KEYS (environment) with --signin: the secrets by name, as JSON
  CHROMIUM (environment) the browser; by default Debian's chromium-headless-shell, else its chromium`;

function settings() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { hour: { type: 'string' }, total: { type: 'string' }, types: { type: 'string' }, odd: { type: 'string' }, dropped: { type: 'string' }, large: { type: 'string' }, restarts: { type: 'boolean', default: false }, signin: { type: 'boolean', default: false }, 'made-up': { type: 'boolean', default: false }, 'live-seconds': { type: 'string', default: '15' }, timed: { type: 'boolean', default: false }, main: { type: 'boolean', default: false }, only: { type: 'string' }, screenshots: { type: 'string' } },
    });
    const [baseUrl, screenshots = values.screenshots] = positionals;
    if (!baseUrl || !values.hour || !(Number(values.total) > 0) || !values.types) throw new Error('URL, --hour, --total and --types are needed');
    return { baseUrl, hour: values.hour, events: Number(values.total), types: values.types.split(','), odd: values.odd, dropped: values.dropped, large: values.large, restarts: values.restarts, signin: values.signin, madeUp: values['made-up'], liveSeconds: Number(values['live-seconds']), timed: values.timed, main: values.main, only: values.only?.split(','), screenshots };
  } catch (e) {
    console.error(`${e.message}\n${USAGE}`);
    return process.exit(2);
  }
}

const { screenshots, main, only, ...facts } = settings();

/** Groups of checks, in order: each of the first on a page of its own, of the looks on one, of the faults each on one. */
const ON_ONE_PAGE = { search: SEARCHES, fields: FIELDS, time: TIMES, events: EVENTS, page: CHECKS, reader: READER, chart: CHART, context: CONTEXT, speed: SPEED, live: facts.restarts ? LIVE : {}, signin: facts.signin ? SIGN_IN : {} };
const LOOKS = Object.fromEntries(VIEWS(facts.hour, facts.types[0]).map((view) => [view.name, view]));
const GROUPS = { ...ON_ONE_PAGE, looks: LOOKS, faults: FAULTS };

const unknown = [
  ...(only ?? []).filter((group) => !(group in GROUPS)),
  ...Object.entries(MAIN_PATH).flatMap(([group, names]) => names.filter((name) => !(name in (GROUPS[group] ?? {})))),
];
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', no ')}; groups are ${Object.keys(GROUPS).join(', ')}`);
  process.exit(2);
}

/** The checks of a group that are asked for, with their names. */
const asked = (group) => Object.entries(GROUPS[group]).filter(([name]) => (only?.includes(group) ?? true) && (!main || MAIN_PATH[group]?.includes(name)));

const log = (line) => console.log(line);
if (screenshots) mkdirSync(screenshots, { recursive: true });
const browser = await launch();
const failed = [];

/** A route that fails on its own fails the run, which still goes on to the end. */
process.on('unhandledRejection', (e) => {
  failed.push('a route');
  log(`FAILED  a route\n        ${e?.message ?? e}`);
});

/** A browser that does not answer may not draw either. */
const PICTURE_MILLIS = 10_000;

/** Runs one check, and says whether it holds; a failure is told, pictured and counted. */
async function check(name, page, run) {
  const started = Date.now();
  try {
    await run();
    log(`ok      ${name} (${Date.now() - started} ms)`);
    return true;
  } catch (e) {
    failed.push(name);
    log(`FAILED  ${name}\n        ${e.message}`);
    if (screenshots) await page.screenshot({ path: `${screenshots}/failed-${failed.length}.png`, timeout: PICTURE_MILLIS }).catch((e) => log(`        no picture: ${e.message.split('\n')[0]}`));
    return false;
  }
}

/** Groups whose checks go on where the one before ended: after one that fails, the others would only wait in vain. */
const CHAINED = ['page', 'chart', 'context', 'live', 'signin'];

const keys = facts.signin ? JSON.parse(process.env.KEYS) : {};

/** Whoever runs this ends the validity of a key. */
async function revoke(name) {
  if (facts.madeUp) await fetch(new URL(`made-up/keys/${name}`, facts.baseUrl));
  else log(`revoke: ${name}`);
}


/** Has the server started anew by whoever runs this, and waits until another process answers. */
async function restart(how) {
  const startOf = async () => /^process_start_time_seconds (\S+)/m.exec(await (await fetch(new URL('metrics', facts.baseUrl))).text())?.[1];
  const before = await startOf();
  log(`restart: ${how}`);
  await eventually('another process', startOf, (start) => /^[\d.E]+$/.test(start) && start !== before);
}

for (const group of Object.keys(ON_ONE_PAGE).filter((name) => asked(name).length > 0)) {
  const page = await open(browser, facts.baseUrl);
  let goesOn = true;
  for (const [name, run] of asked(group)) {
    if (goesOn) goesOn = (await check(`${group}: ${name}`, page, () => run({ page, browser, log, restart, keys, revoke, screenshots, ...facts }))) || !CHAINED.includes(group);
    else log(`        not run after it: ${name}`);
  }
  await check(`${group}: nothing complained, and nobody else was asked`, page, () => quiet(page));
  await page.context().close();
}

if (asked('looks').length > 0) {
  const shown = await open(browser, facts.baseUrl);
  for (const [name, view] of asked('looks')) {
    await check(`looks: ${name}`, shown, () => look(shown, view, screenshots));
  }
  forgive(shown, 400); // of the refused filter
  await check('looks: nothing complained, and nobody else was asked', shown, () => quiet(shown));
}

for (const [name, run] of asked('faults')) {
  const own = await open(browser, facts.baseUrl);
  await intercept(own);
  await check(`faults: ${name}`, own, () => run({ page: own, ...facts }));
  await own.unrouteAll({ behavior: 'ignoreErrors' });
  await own.context().close();
}

await browser.close();
log(failed.length === 0 ? 'all holds' : `${failed.length} failed: ${failed.join('; ')}`);
process.exit(failed.length === 0 ? 0 : 1);
