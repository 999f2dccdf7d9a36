/** The types to choose from: those of the hour by count, and those chosen that the hour does not have. */
export function typeChoices(types, chosen) {
  const known = new Set(types.map((t) => t.type));
  const missing = chosen.filter((type) => !known.has(type)).map((type) => ({ type, count: 0, bytes: 0 }));
  return [...types].sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1)).concat(missing);
}

/** Chosen types first, then by count: the order in which types get colours. */
export function rankForColour(choices, chosen) {
  const isChosen = new Set(chosen);
  const first = choices.filter((t) => isChosen.has(t.type));
  const then = choices.filter((t) => !isChosen.has(t.type));
  return [...first, ...then].map((t) => t.type);
}

/** The choice after a click on `type`; none chosen means all. */
export function toggled(chosen, type) {
  return chosen.includes(type) ? chosen.filter((t) => t !== type) : [...chosen, type];
}
