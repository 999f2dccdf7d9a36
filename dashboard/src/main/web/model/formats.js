/**
 * Formats of the page's language. Each is made when it is first used: the first ones load the tables of the language,
 * which would keep the first questions waiting.
 */

/** @returns {(millis: number) => string} in UTC */
export const dateFormat = (options) => lazily(() => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }));

/** @returns {(n: number) => string} */
export const numberFormat = (options) => lazily(() => new Intl.NumberFormat('en', options));

function lazily(make) {
  let format = null;
  return (value) => (format ??= make()).format(value);
}
