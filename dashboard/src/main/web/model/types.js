import { severityOfType } from './severity.js';

/** The types to choose from: those of the hour by count, and those chosen that the hour does not have. */
export function typeChoices(types, chosen) {
  const known = new Set(types.map((t) => t.type));
  const missing = chosen.filter((type) => !known.has(type)).map((type) => ({ type, count: 0, bytes: 0 }));
  return [...types].sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)).concat(missing);
}

/**
 * The types that the chart shows apart, by count: the most frequent `most`, and before those whatever is chosen. Errors
 * and warnings take no other's place, as they have colours of their own.
 */
export function typesApart(choices, chosen, most) {
  const isChosen = new Set(chosen);
  const [grave, others] = [choices.filter(isGrave), choices.filter((t) => !isGrave(t))];
  const first = others.filter((t) => isChosen.has(t.type)).slice(0, most);
  const then = others.filter((t) => !isChosen.has(t.type)).slice(0, most - first.length);
  const shown = new Set([...first, ...then, ...grave.slice(0, GRAVE_MAX)]);
  return choices.filter((t) => shown.has(t)).map((t) => t.type);
}

/** Types of errors and warnings that are shown apart. */
const GRAVE_MAX = 5;

const isGrave = ({ type }) => severityOfType(type) !== null;

/** The choice after a click on `type`; none chosen means all. */
export function toggled(chosen, type) {
  return chosen.includes(type) ? chosen.filter((t) => t !== type) : [...chosen, type];
}
