/** How often a view may refresh itself, as the address has it. */
export const REFRESHES = {
  '5s': { name: '5 s', millis: 5_000 },
  '30s': { name: '30 s', millis: 30_000 },
  '1m': { name: '1 min', millis: 60_000 },
};
