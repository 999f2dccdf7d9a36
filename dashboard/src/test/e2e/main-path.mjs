/**
 * The main path: what a reader does each day, a check or a few of some groups. `./verify` runs these alone, and
 * `./verify --full` all checks. Each begins where the one before it here ends, or opens a view of its own.
 */
export const MAIN_PATH = {
  search: [
    'a text filters chart, counts, types and events, in any case',
    'a click on a value filters by it, or leaves it out',
  ],
  fields: ['a field shows its values, which filter'],
  time: ['a brush over the chart zooms in, and Back comes back'],
  events: ['a link to an event shows it, with or without its hour'],
  page: [
    'a deep link shows the hour',
    'the chart is drawn, and its numbers add up',
    'the types are listed with their counts',
    'choosing types filters chart, events and address',
    'an event unfolds into a table of what it came with, or its JSON',
    'more events come as the end comes near',
    'a dropped hour says so',
    'the page is light',
  ],
  looks: ['filter-light'],
  faults: ['an error shows its reason, and Try again mends it'],
};
