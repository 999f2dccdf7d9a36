import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KeptTask } from '../../main/web/state/kept-task.js';

const HOST = { addController() {}, requestUpdate() {} };

/** A task that answers what `answers` gives for the question, and a way to ask another one. */
function asking(answers) {
  const now = { question: 'a' };
  const config = { autoRun: false, args: () => [now.question], task: ([question], { signal, tell }) => answers(question, signal, tell) };
  return { now, task: new KeptTask(HOST, config, () => now.question) };
}

const untilStopped = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('the last answer stays, and is told apart from one to the present question', async () => {
  const { now, task } = asking((question) => (question === 'a' ? 'first' : Promise.reject(new Error('away'))));
  assert.equal(task.current, false);
  await task.run();
  assert.deepEqual([task.value, task.current], ['first', true]);
  now.question = 'b';
  await task.run();
  assert.deepEqual([task.value, task.current, task.failure.message, task.stopped], ['first', false, 'away', false]);
});

test('a question that is stopped is no failure, and can be asked again', async () => {
  let holds = true;
  const { task } = asking((question, signal) => (holds ? untilStopped(signal) : 'answer'));
  const run = task.run();
  task.stop();
  await run;
  assert.deepEqual([task.stopped, task.failure, task.current], [true, null, false]);
  holds = false;
  await task.run();
  assert.deepEqual([task.stopped, task.value, task.current], [false, 'answer', true]);
});

test('an answer grows until it is whole, and what there is of it outlives a stop', async () => {
  let go;
  const { now, task } = asking((question, signal, tell) => {
    tell(`half of ${question}`);
    return new Promise((answer, reject) => {
      go = () => answer(question);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const first = task.run();
  assert.deepEqual([task.partial, task.value, task.current], ['half of a', undefined, false]);
  go();
  await first;
  assert.deepEqual([task.partial, task.value, task.current], [null, 'a', true]);
  now.question = 'b';
  const second = task.run();
  assert.deepEqual([task.partial, task.value, task.current], ['half of b', 'a', false]);
  task.stop();
  await second;
  assert.deepEqual([task.partial, task.stopped, task.current], ['half of b', true, false]);
});

test('what there is of an answer that fails is no answer, and that of a question before is dropped', async () => {
  let tellLate;
  const { now, task } = asking((question, _, tell) => {
    tellLate ??= tell;
    tell(question);
    return question === 'a' ? new Promise(() => {}) : Promise.reject(new Error('away'));
  });
  task.run();
  now.question = 'b';
  await task.run();
  assert.deepEqual([task.partial, task.failure.message], [null, 'away']);
  tellLate('more of a');
  assert.equal(task.partial, null);
});
