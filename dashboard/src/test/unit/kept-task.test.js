import assert from 'node:assert/strict';
import { test } from 'node:test';

import { KeptTask } from '../../main/web/state/kept-task.js';

const HOST = { addController() {}, requestUpdate() {} };

/** A task that answers what `answers` gives for the question, and a way to ask another one. */
function asking(answers) {
  const now = { question: 'a' };
  const config = { autoRun: false, args: () => [now.question], task: ([question], { signal }) => answers(question, signal) };
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
