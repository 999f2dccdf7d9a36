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
  const { reason = error.detail, from = 0, to = 0, fix = null } = error.filter ?? {};
  return { q, reason, from, to, fix };
}
