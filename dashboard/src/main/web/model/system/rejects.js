/** The ledger of refused events, by reason. */

/** Samples of a reason, of all types together. */
const SAMPLES_MAX = 5;

/**
 * @param ledger the answer of /api/v1/rejects
 * @returns {{reason: string, count: number, last: string, types: {type: string | null, count: number}[],
 *     samples: {type: string | null, reason: string, event: string}[]}[]} most frequent first; samples are those of the types refused last
 */
export function byReason(ledger) {
  const found = new Map();
  for (const { type, reason, count, last, samples } of ledger.rejects) {
    if (!found.has(reason)) found.set(reason, { reason, count: 0, last: '', types: [], entries: [] });
    const all = found.get(reason);
    all.count += count;
    all.last = last > all.last ? last : all.last;
    all.types.push({ type, count });
    all.entries.push({ type, last, samples });
  }
  return [...found.values()].map(finished).sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
}

function finished({ entries, types, ...rest }) {
  entries.sort((a, b) => (a.last < b.last ? 1 : -1));
  const samples = entries.flatMap(({ type, samples: own }) => own.toReversed().map((sample) => ({ type, ...sample })));
  return { ...rest, types: types.toSorted((a, b) => b.count - a.count), samples: samples.slice(0, SAMPLES_MAX) };
}
