/** Counts that are asked for at the same time. */
const AT_ONCE = 2;

/** One step over everything: only the total is wanted. */
const STEP = '90d';

/**
 * The events of a query that fit each of some conditions.
 *
 * @param {import('./client.js').Client} client
 * @param {string[]} conditions of `where`
 * @returns {Promise<number[]>} in their order
 */
export async function countEach(client, query, conditions, signal) {
  const totals = new Array(conditions.length);
  let next = 0;
  const work = async () => {
    while (next < conditions.length) {
      const i = next++;
      totals[i] = (await client.hits({ ...query, step: STEP, where: conditions[i] }, signal)).total;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return totals;
}
