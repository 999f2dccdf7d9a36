/** The functions of CEL that `where` has, each with what it is good for. */

/** Behind a dot. */
export const METHODS = new Map([
  ['startsWith', 'the text begins so'],
  ['endsWith', 'the text ends so'],
  ['contains', 'the text has this in it'],
  ['matches', 'the text fits a regular expression'],
  ['exists', 'some element of a list fits'],
  ['all', 'every element of a list fits'],
  ['exists_one', 'exactly one element fits'],
  ['filter', 'the elements that fit'],
  ['map', 'each element changed'],
  ['size', 'the length of a text or list'],
  ['getFullYear', 'of a time'],
  ['getMonth', 'of a time, 0 to 11'],
  ['getDayOfMonth', 'of a time, 0 to 30'],
  ['getDayOfWeek', 'of a time, 0 is Sunday'],
  ['getDayOfYear', 'of a time, from 0'],
  ['getDate', 'of a time, 1 to 31'],
  ['getHours', 'of a time, 0 to 23'],
  ['getMinutes', 'of a time'],
  ['getSeconds', 'of a time'],
  ['getMilliseconds', 'of a time'],
]);

/** Before a parenthesis alone. */
export const FUNCTIONS = new Map([
  ['has', 'the field is there'],
  ['size', 'the length of a text, list or map'],
  ['timestamp', 'a time from a text'],
  ['duration', 'a length of time, as "90s"'],
  ['double', 'as a number'],
  ['int', 'as a whole number'],
  ['string', 'as a text'],
  ['matches', 'a text fits a regular expression'],
  ['bool', 'true or false from a text'],
  ['bytes', 'a text as bytes'],
  ['dyn', 'of any kind'],
  ['type', 'the kind of a value'],
  ['uint', 'as a whole number without sign'],
]);
