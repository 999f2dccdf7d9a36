import { ExactNumber } from '../model/exact-number.js';

/** Digits that may be more than a double holds: only then is the slower, exact way taken. */
const LONG_NUMBER = /[\d.]{16,}/;

/** Parses JSON so that long numbers (ids, nanoseconds) keep every digit. */
export function parseExact(text) {
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
}

/** Writes JSON back, long numbers with their digits where the browser can. */
export function writeExact(value) {
  return JSON.stringify(
    value,
    (_, v) => (v instanceof ExactNumber ? (JSON.rawJSON?.(v.digits) ?? Number(v.digits)) : v),
    2,
  );
}

/** Browsers without source text in revivers pass no context: there the number stays as parsed. */
function keepDigits(_, value, context) {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return sameNumber(String(value), context.source) ? value : new ExactNumber(context.source);
}

/** 1.50 and 1.5 are one number; 9007199254740993 and its double are not. */
function sameNumber(written, source) {
  return written === source || !/\d{16,}/.test(source.replace(/\./, ''));
}
