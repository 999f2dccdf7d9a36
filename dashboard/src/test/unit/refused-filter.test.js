import assert from 'node:assert/strict';
import { test } from 'node:test';

import { RefusedFilter } from '../../main/web/state/refused-filter.js';

const view = (q) => ({ q, order: 'asc' });

test('a view is shown as it is until its filter is refused', () => {
  const refused = new RefusedFilter();
  assert.equal(refused.of(view('a ===')), null);
  assert.deepEqual(refused.shown(view('a ===')), view('a ==='));
});

test('a view with the refused filter is shown without it, until the filter is another one', () => {
  const refused = new RefusedFilter();
  refused.note(view('a ==='), { reason: 'no' });
  assert.deepEqual(refused.shown(view('a ===')), { q: '', order: 'asc' });
  assert.deepEqual(refused.of({ ...view('a ==='), order: 'desc' }), { reason: 'no' });
  assert.equal(refused.of(view('a == 1')), null);
  assert.deepEqual(refused.shown(view('a == 1')), view('a == 1'));
});
