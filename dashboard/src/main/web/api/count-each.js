/** Counts that are asked for at the same time. */
const AT_ONCE = 2;

/** One step over everything: only the total is wanted. */
const STEP = '90d';

/**
 * The events of a query that fit each of some clauses.
 *
 * @param {import('./client.js').Client} client
 * @param {(clause: string) => string} whereOf the whole expression with a clause
 * @returns {Promise<number[]>} in the order of the clauses
 */
export async function countEach(client, query, clauses, whereOf, signal) {
  const totals = new Array(clauses.length);
  let next = 0;
  const work = async () => {
    while (next < clauses.length) {
      const i = next++;
      totals[i] = (await client.hits({ ...query, step: STEP, where: whereOf(clauses[i]) }, signal)).total;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return totals;
}
