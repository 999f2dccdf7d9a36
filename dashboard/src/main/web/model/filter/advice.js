/** Errors and their remedies, in words for the reader of the page. */

const BY_STATUS = {
  [-1]: 'The server may be busy, or there is much to read. Try again, or choose a shorter time or fewer types.',
  0: 'This page asks every two seconds and goes on by itself. If it stays so, check that Hourglass is running and that this machine reaches it.',
  400: 'The address may hold a value that the server does not know. Open the latest hour to start again.',
  401: 'The key is wrong, or it has expired or been revoked.',
  403: 'This key may not do that. Sign in with another one, or ask the operator of this server.',
  404: 'This server does not answer queries: its roles may leave them out.',
  429: 'The server is overloaded. Try again in a moment.',
  503: 'The store is not reachable at the moment. It is safe to try again.',
};

/** @returns {{title: string, detail: string | null, advice: string}} */
export function adviceFor({ status, title, message, detail = null, retryAfterSeconds = null }) {
  return {
    title: title ?? 'Something went wrong in the page',
    detail: detail ?? (title ? null : message),
    advice: waiting(retryAfterSeconds) ?? BY_STATUS[status] ?? fallback(status),
  };
}

const waiting = (seconds) => (seconds === null ? null : `The server asks to wait ${seconds} s before trying again.`);

const fallback = (status) =>
  status >= 500 ? "Try again; if it fails again, see the server's log." : 'Try again, or open the latest hour.';
