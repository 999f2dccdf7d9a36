import assert from 'node:assert/strict';
import { test } from 'node:test';

import { APART_MAX, colourOf, coloursOfGroups, COLOUR_OF_REST, ERRORS, markOf, PALETTE, SeriesColours, showTypes, WARNINGS } from '../../main/web/model/type-colours.js';
import { toggled, typeChoices, typesApart } from '../../main/web/model/types.js';
import { ciede2000, contrast, distance, VISION_NAMES } from './colour-vision.js';

const named = (n) => Array.from({ length: n }, (_, i) => `t${i}`);
const calm = (names) => names.map((name) => ({ name, severity: null }));
const cssOf = ([light, dark]) => `light-dark(${light}, ${dark})`;

/**
 * The least distance of two colours of the chart, in CIEDE2000. Two large fields side by side are told apart from 1 on,
 * and said to differ at a glance from about 3. Marks here are ten pixels wide, apart, and layers of a bar a few pixels
 * high: for these it is three times that.
 */
const APART_MIN = 9;

/** WCAG 2.2, 1.4.11: what is needed to understand a graphic. */
const CONTRAST_MIN = 3;

/** What marks, bars and stripes stand on: the page and its surfaces, a chosen type, rows of errors and warnings. */
const GROUNDS = [
  ['#ffffff', '#faf9f6', '#f0ede7', '#e2f0ef', '#fdf1ef', '#fdf8ec'],
  ['#1b1e20', '#222629', '#16181a', '#173334', '#2a1d1d', '#25221a'],
];
const THEMES = ['light', 'dark'];
const all = [...PALETTE, ...ERRORS, ...WARNINGS];

/** Pairs of Sharma, Wu and Dalal (2005) with their distance. */
const SHARMA = [
  [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
  [[50, 2.49, -0.001], [50, -2.49, 0.0009], 7.1792],
  [[50, 2.5, 0], [73, 25, -18], 27.1492],
  [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
  [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
  [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
];

test('distances of colours are those of the literature', () => {
  for (const [one, other, expected] of SHARMA) assert.ok(Math.abs(ciede2000(one, other) - expected) < 1e-4, `${one}, ${other}: ${ciede2000(one, other)}`);
  assert.equal(contrast('#ffffff', '#000000'), 21);
});

for (const [theme, name] of THEMES.entries()) {
  for (const vision of VISION_NAMES) {
    test(`ten types, errors and warnings are told apart: ${name}, ${vision}`, () => {
      const close = all.flatMap((one, i) => all.slice(0, i).map((other) => [one[theme], other[theme], distance(one[theme], other[theme], vision)]));
      assert.deepEqual(close.filter(([, , apart]) => apart < APART_MIN), []);
    });
  }

  test(`every colour is seen on what it stands on: ${name}`, () => {
    const faint = all.flatMap((colour) => GROUNDS[theme].map((ground) => [colour[theme], ground, contrast(colour[theme], ground)]));
    assert.deepEqual(faint.filter(([, , ratio]) => ratio < CONTRAST_MIN), []);
  });
}

test('red and amber are kept for errors and warnings', () => {
  const isWarm = (hex) => {
    const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    return r > g && r > 1.2 * b;
  };
  assert.deepEqual(PALETTE.flat().filter(isWarm), []);
  assert.deepEqual([...ERRORS, ...WARNINGS].flat().filter((hex) => !isWarm(hex)), []);
});

test('the ten largest have ten colours, and further ones that of the rest', () => {
  for (const prefix of ['a', 'type.', 'x_']) {
    const names = Array.from({ length: 30 }, (_, i) => `${prefix}${i}`);
    const colours = new SeriesColours().of(calm(names));
    assert.deepEqual([...colours.keys()], names.slice(0, APART_MAX));
    assert.equal(new Set(colours.values()).size, APART_MAX);
  }
});

test('a colour follows from the name, in every view and browser', () => {
  for (const name of [...named(20), 'checkout']) assert.equal(new SeriesColours().of(calm([name])).get(name), new SeriesColours().of(calm([name, 'other'])).get(name));
  assert.equal(new SeriesColours().of(calm(['checkout'])).get('checkout'), cssOf(PALETTE[7]));
});

test('a filter or a refresh changes no colour', () => {
  const colours = new SeriesColours();
  const names = named(10);
  const before = colours.of(calm(names));
  for (const others of [names.slice(5), names.toReversed(), ['t9'], [...names.slice(3), 'new', 'newer']]) {
    const after = colours.of(calm(others));
    assert.deepEqual(others.filter((name) => before.has(name) && after.get(name) !== before.get(name)), [], others.join());
  }
});

test('errors and warnings have colours of their own, and take none of the ten', () => {
  const colours = new SeriesColours().of([{ name: 'error', severity: 'error' }, ...calm(named(10)), { name: 'fatal', severity: 'error' }, { name: 'slow', severity: 'warning' }]);
  assert.deepEqual(['error', 'fatal', 'slow'].map((name) => colours.get(name)), [ERRORS[0], ERRORS[1], WARNINGS[0]].map(cssOf));
  assert.equal(new Set(colours.values()).size, 13);
});

test('values that tell a severity have its colours', () => {
  const of = (by, ...values) => values.map((value) => coloursOfGroups(by, values.map((value) => ({ name: String(value), value }))).get(String(value)));
  const isCalm = (colour) => PALETTE.map(cssOf).includes(colour);
  const [info, error, warn] = of('data.level', 'info', 'error', 'warn');
  assert.deepEqual([isCalm(info), error, warn], [true, cssOf(ERRORS[0]), cssOf(WARNINGS[0])]);
  const [ok, failed] = of('data.http.status', 200, 503);
  assert.deepEqual([isCalm(ok), failed], [true, cssOf(ERRORS[0])]);
  assert.ok(of('data.host', 'web-1', 'error-page').every(isCalm));
});

test('types that are not shown apart are rings in the colour of the rest', () => {
  assert.ok(PALETTE.map(cssOf).includes(colourOf('checkout')), 'before any are shown');
  assert.equal(colourOf('error'), cssOf(ERRORS[0]));
  showTypes(named(3));
  assert.deepEqual([colourOf('t9'), markOf('t9')], [COLOUR_OF_REST, `box-shadow:inset 0 0 0 2px ${COLOUR_OF_REST}`]);
  assert.equal(markOf('t1'), `background:${colourOf('t1')}`);
});

test('the types of the demo do not meet', () => {
  const types = ['page_view', 'search', 'cart_add', 'login', 'checkout', 'payment', 'stock_update', 'deploy'];
  assert.equal(new Set(types.map((type) => new SeriesColours().of(calm([type])).get(type))).size, types.length);
});

test('types of errors and warnings are shown apart, however rare', () => {
  const choices = [...named(40), 'app.error', 'warning'].map((type, i) => ({ type, count: 100 - i, bytes: 0 }));
  assert.deepEqual(typesApart(choices, [], 3), ['t0', 't1', 't2', 'app.error', 'warning']);
  assert.deepEqual(typesApart(choices, ['t39'], 3), ['t0', 't1', 't39', 'app.error', 'warning']);
});

test('a chosen type is always shown apart, however rare', () => {
  const types = named(40).map((type, i) => ({ type, count: 100 - i, bytes: 0 }));
  const choices = typeChoices(types, ['t39']);
  assert.deepEqual(typesApart(choices, ['t39'], 3), ['t0', 't1', 't39']);
  assert.deepEqual(typesApart(choices, named(40), 3), ['t0', 't1', 't2']);
  assert.deepEqual(typesApart(choices, [], 3), typesApart(choices, ['t1'], 3));
});

test('types stand by count; a chosen one that the hour lacks can still be let go', () => {
  const choices = typeChoices([{ type: 'a', count: 1 }, { type: 'b', count: 9 }], ['gone', 'a']);
  assert.deepEqual(choices.map((t) => [t.type, t.count]), [['b', 9], ['a', 1], ['gone', 0]]);
  assert.deepEqual(toggled(['gone', 'a'], 'gone'), ['a']);
  assert.deepEqual(toggled([], 'b'), ['b']);
});
