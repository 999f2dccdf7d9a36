/**
 * Why a filter cannot be read, where, and what may be meant.
 *
 * @typedef {{q: string, reason: string, from: number, to: number, fix: string | null}} Refusal `q`: the filter; `from`, `to`: characters
 *     of it; `fix`: the whole filter
 */

/**
 * @param error of the server, or null
 * @param {string} q the filter that was asked for
 * @returns {Refusal | null} null for any other error
 */
export function refusalOf(error, q) {
  if (error?.parameter !== 'q') return null;
  return refusalIn({ reason: error.detail, ...error.filter }, q);
}

/** @returns {Refusal} of the problem that the server sent */
export const refusalIn = ({ reason, from = 0, to = 0, fix = null }, q) => ({ q, reason, from, to, fix });
