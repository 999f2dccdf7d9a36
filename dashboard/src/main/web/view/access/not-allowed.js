import { callout } from '../callout.js';

/** @param {string} lacks from model/access.js  @param {string} what is not shown for it */
export const notAllowed = (lacks, what) => callout({ title: `${what} are not shown`, text: `${lacks}. Sign in with another key, or ask the operator of this server.` });
