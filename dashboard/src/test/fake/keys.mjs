/** Keys of the made-up server, whose secrets are `hg_` and their names, and the sessions of those who signed in. */
const KEYS = {
  ada: { scopes: ['query', 'metrics'], types: ['*'] },
  bob: { scopes: ['query'], types: ['page.view'] },
  eve: { scopes: ['query'], types: ['*'] },
  mon: { scopes: ['metrics'], types: ['*'] },
  pusher: { scopes: ['ingest'], types: ['*'] },
};

/** Paths that need more than `query`, or nothing. */
const ALL_TYPES = ['/api/v1/rows', '/api/v1/rejects'];
const NEEDED = (path) => (path === '/metrics' ? 'metrics' : path.startsWith('/api/') ? 'query' : null);

const COOKIE = /(?:^|; )hourglass-session=([^;]*)/;

export class Keys {
  #keys = { ...KEYS };

  /** By its cookie, the name of a session's key. */
  #sessions = new Map();

  #nameOf = (request) => this.#sessions.get(COOKIE.exec(request.headers.cookie ?? '')?.[1]);

  #keyOf = (request) => this.#keys[this.#nameOf(request)];

  /** Answers what is about keys. */
  answers(request, url, response) {
    const revoked = /^\/made-up\/keys\/(.+)$/.exec(url.pathname);
    if (revoked) {
      delete this.#keys[revoked[1]];
      response.writeHead(204).end();
      return true;
    }
    if (url.pathname !== '/api/v1/session') return false;
    const key = this.#keyOf(request);
    if (request.method === 'POST') this.#signIn(request, response);
    else if (!key) refuse(response);
    else if (request.method === 'DELETE') response.writeHead(204, { 'Set-Cookie': 'hourglass-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict' }).end();
    else response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ name: this.#nameOf(request), ...key }));
    return true;
  }

  /** Why a request is refused, as a problem, or null. */
  refusal(request, path = '/api/v1/tail') {
    const scope = NEEDED(path);
    const key = this.#keyOf(request);
    if (scope === null) return null;
    if (!key) return { title: 'Unauthorized', status: 401 };
    const whole = !ALL_TYPES.includes(path) || key.types.includes('*');
    return key.scopes.includes(scope) && whole ? null : { title: 'Forbidden', status: 403, detail: `${scope} is needed`, scope };
  }

  sees(request, type) {
    const { types } = this.#keyOf(request);
    return types.includes('*') || types.includes(type);
  }

  async #signIn(request, response) {
    let body = '';
    for await (const piece of request) body += piece;
    const name = Object.keys(this.#keys).find((name) => JSON.parse(body).key === `hg_${name}`);
    if (!name) return refuse(response);
    const cookie = `${this.#sessions.size}.${Math.random()}`;
    this.#sessions.set(cookie, name);
    return response.writeHead(204, { 'Set-Cookie': `hourglass-session=${cookie}; Path=/; HttpOnly; SameSite=Strict` }).end();
  }
}

function refuse(response) {
  response.writeHead(401, { 'Content-Type': 'application/problem+json', 'WWW-Authenticate': 'Bearer' });
  response.end(JSON.stringify({ type: 'about:blank', title: 'Unauthorized', status: 401 }));
}

/** Of a server without keys. */
export const NO_KEYS = {
  answers(request, url, response) {
    if (url.pathname !== '/api/v1/session') return false;
    response.writeHead(204).end();
    return true;
  },
  refusal: () => null,
  sees: () => true,
};
