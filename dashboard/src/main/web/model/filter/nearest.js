import { shortName } from '../fields.js';

/** Which of the names that events have are nearest to one that they have not. */

/** Whether events have the field, or one within it. */
export const isKnown = (name, known) => known.some((other) => other === name || other.startsWith(`${name}.`));

/** As many as are read at a glance. */
const NEAREST_MAX = 3;

/**
 * The fields whose names differ least, or whose last word is that of the name; none that have little in common.
 *
 * @param {string} name of no event
 * @param {string[]} known
 */
export function nearestFields(name, known) {
  const wanted = shortName(name).toLowerCase();
  const lastOf = (text) => text.slice(text.lastIndexOf('.') + 1);
  const distanceOf = (other) => Math.min(edits(wanted, other), edits(lastOf(wanted), lastOf(other)) + 0.5);
  return known
    .map((other) => ({ other, distance: distanceOf(shortName(other).toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, lastOf(wanted).length / 3) + 0.5)
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, NEAREST_MAX)
    .map(({ other }) => other);
}

/** Those of some words that differ least from one, in any case; none that have little in common. */
export const nearestOf = (word, words) =>
  words
    .map((other) => ({ other, distance: edits(word.toLowerCase(), other.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, word.length / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, NEAREST_MAX)
    .map(({ other }) => other);

/** The edits between two texts: letters added, left out, replaced, or two neighbours turned round. */
function edits(one, other) {
  let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length];
}
