/**
 * The colour of a type follows from its name alone, so it is the same in every view, hour and browser. The hash of the
 * name gives hue, depth and strength. Two names may look alike, so every colour on the page stands beside its name.
 */

/** Depths in the light and the dark theme. Like hues may differ in depth, also for readers who see few colours. */
const DEPTHS = [[0.52, 0.66], [0.62, 0.75], [0.72, 0.84]];
const STRENGTHS = [0.11, 0.16];

/** Any start would do; with this one the types of the demo and of the load generator are far apart. */
const START = 63_755;

/** The CSS value of a type's colour. */
export function colourOf(type) {
  const hash = mixed(fnv1a(type));
  const [light, dark] = DEPTHS[(hash >>> 12) % DEPTHS.length];
  const tone = `${STRENGTHS[(hash >>> 8) % STRENGTHS.length]} ${(hash >>> 16) % 360}`;
  return `light-dark(oklch(${light} ${tone}), oklch(${dark} ${tone}))`;
}

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
