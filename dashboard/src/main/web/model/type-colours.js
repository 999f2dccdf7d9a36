import { severityOf, severityOfType } from './severity.js';

/**
 * The colours of types, and of the values that a chart is broken down by. Red and amber are kept for what is an error
 * or a warning by its name. The largest of the others have the colours of the palette: each the one that follows from
 * its name, or the next that is free. So a colour says the same in every view and browser, but for types that are small
 * and met a larger one in their place. All further ones have the colour of the rest, and every colour stands beside a
 * name.
 */

/**
 * Light and dark, chosen by a search for colours that are far apart for all readers; type-colours.test.js has how far,
 * and what they stand on.
 */
export const PALETTE = [
  ['#5d733f', '#778316'],
  ['#63935d', '#b9e7aa'],
  ['#024e35', '#7cb37f'],
  ['#007c6d', '#3dcbb0'],
  ['#1290c4', '#79f2fe'],
  ['#4758c6', '#a5befd'],
  ['#332492', '#9f91fd'],
  ['#6f4d84', '#7d69dc'],
  ['#5b2750', '#966ca4'],
  ['#a56994', '#cd88bf'],
];
export const ERRORS = [
  ['#c21b0d', '#ff6f61'],
  ['#830000', '#c25560'],
];
export const WARNINGS = [['#c06f0a', '#facb39']];

export const COLOUR_OF_REST = 'var(--series-other)';

/** As many series as a chart can show apart, besides those of errors and warnings. */
export const APART_MAX = PALETTE.length;

/** Names whose places are remembered. */
const REMEMBERED_MAX = 1_000;

/** Any start would do; with this one no types of the demo and of the load generator meet. */
const START = 28_931;

/**
 * Gives series their colours. A series keeps its colour while it is among the largest, whatever becomes of the others,
 * so that a filter or a refresh does not change it.
 */
export class SeriesColours {
  /** The place of each name in its list of colours, the latest last. */
  #places = new Map();

  /**
   * @param {{name: string, severity: 'error' | 'warning' | null}[]} series the largest first
   * @returns {Map<string, string>} by name the CSS value of its colour; without those that have that of the rest
   */
  of(series) {
    const ofSeverity = (wanted) => series.filter(({ severity }) => severity === wanted).map(({ name }) => name);
    return new Map([
      ...this.#seated(ofSeverity(null).slice(0, PALETTE.length), PALETTE, placeOf),
      ...this.#seated(ofSeverity('error'), ERRORS, () => 0),
      ...this.#seated(ofSeverity('warning'), WARNINGS, () => 0),
    ]);
  }

  /** Where there are more names than colours, further names share the last one. */
  #seated(names, colours, preferred) {
    const taken = new Map();
    for (const name of names) {
      const place = this.#places.get(name);
      if (place !== undefined && !hasValue(taken, place)) taken.set(name, place);
    }
    for (const name of names) if (!taken.has(name)) taken.set(name, freePlace(taken, preferred(name), colours.length));
    for (const [name, place] of taken) this.#remember(name, place);
    return names.map((name) => [name, css(colours[taken.get(name)])]);
  }

  #remember(name, place) {
    this.#places.delete(name);
    this.#places.set(name, place);
    if (this.#places.size > REMEMBERED_MAX) this.#places.delete(this.#places.keys().next().value);
  }
}

const hasValue = (map, value) => [...map.values()].includes(value);

function freePlace(taken, first, length) {
  for (let i = 0; i < length; i++) if (!hasValue(taken, (first + i) % length)) return (first + i) % length;
  return length - 1;
}

const css = ([light, dark]) => `light-dark(${light}, ${dark})`;

const ofTypes = new SeriesColours();
let shown = null;

/** Gives colours to the types that the view shows apart, the largest first. */
export function showTypes(types) {
  shown = ofTypes.of(types.map((type) => ({ name: type, severity: severityOfType(type) })));
}

/** The colours of the types that are shown; another object when they change. */
export const shownTypes = () => shown;

/** The CSS value of a type's colour: before any are shown, the one that it will most likely have. */
export function colourOf(type) {
  if (shown) return shown.get(type) ?? COLOUR_OF_REST;
  const colours = { error: ERRORS, warning: WARNINGS }[severityOfType(type)];
  return css(colours ? colours[0] : PALETTE[placeOf(type)]);
}

/** The style of the mark beside a type: a ring for one that the chart does not show apart. */
export function markOf(type) {
  const colour = colourOf(type);
  return colour === COLOUR_OF_REST ? `box-shadow:inset 0 0 0 2px ${colour}` : `background:${colour}`;
}

let ofGroups = { by: '', colours: new SeriesColours() };

/**
 * The colours of the values of a field, the largest first.
 *
 * @param {string} by the field, `data.status`
 * @param {{name: string, value: unknown}[]} groups
 */
export function coloursOfGroups(by, groups) {
  if (ofGroups.by !== by) ofGroups = { by, colours: new SeriesColours() };
  const field = by.slice(by.lastIndexOf('.') + 1);
  return ofGroups.colours.of(groups.map(({ name, value }) => ({ name, severity: severityOf({ type: '', data: { [field]: value } }) })));
}

/** The place of a name in the palette. */
const placeOf = (name) => mixed(fnv1a(name)) % PALETTE.length;

/** The hash FNV-1a of Fowler, Noll and Vo, 32 bits, over the text's UTF-16 units, with a start of its own. */
function fnv1a(text) {
  let hash = START;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The finalizer of MurmurHash3: names that differ in their last letter only differ in all bits. */
function mixed(hash) {
  let h = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
