import assert from 'node:assert/strict';
import { test } from 'node:test';

import { severityOf, severityOfType, severityOfWord } from '../../main/web/model/severity.js';

const of = (data, type = 'request') => severityOf({ type, data });

test('words are graded in any case and spelling', () => {
  const graded = (severity, ...words) => assert.deepEqual(words.filter((word) => severityOfWord(word) !== severity), []);
  graded('error', 'error', 'ERROR', 'Err', 'fatal', 'FATAL', 'crit', 'Critical', 'alert', 'emerg', 'EMERGENCY', 'panic', 'severe', 'ERROR2', ' error ');
  graded('warning', 'warn', 'Warning', 'WARN', 'wrn', 'WARN3');
  graded(null, 'info', 'debug', 'trace', 'notice', 'erroneous', 'warned', 'criticality', '');
});

test('a level is a word, or a number of pino', () => {
  assert.deepEqual(['error', 'WARN', 'info'].map((level) => of({ level })), ['error', 'warning', null]);
  assert.deepEqual([10, 20, 30, 40, 50, 60].map((level) => of({ level })), [null, null, null, 'warning', 'error', 'error']);
  assert.deepEqual(['50', '30', 3].map((level) => of({ level })), ['error', null, null]);
});

test('a severity is a word, or a number of syslog', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7].map((severity) => of({ severity })), ['error', 'error', 'error', 'error', 'warning', null, null, null]);
  assert.deepEqual(['3', '4', '6', 'ERROR'].map((PRIORITY) => of({ PRIORITY })), ['error', 'warning', null, 'error']);
  assert.deepEqual([of({ severity: 'WARNING' }), of({ severity: -1 }), of({ priority: 1 })], ['warning', null, null]);
  assert.deepEqual([9, 13, 17, 24].map((severity_number) => of({ severity_number })), [null, 'warning', 'error', 'error']);
});

test('names of fields are read in any case, and with their common signs', () => {
  const names = ['level', 'LEVEL', 'Level', 'lvl', 'log.level', 'log_level', 'logLevel', 'levelname', 'severity', 'SeverityText', 'severity_text', 'detected_level', 'detectedLevel'];
  assert.deepEqual(names.filter((name) => of({ [name]: 'error' }) !== 'error'), []);
  assert.equal(of({ log: { level: 'warn' } }), 'warning');
  assert.equal(of({ levels: 'error', my_level: 'error' }), null);
});

test('a status of 500 and above is an error', () => {
  assert.deepEqual([500, 503, '502'].map((status) => of({ status })), ['error', 'error', 'error']);
  assert.deepEqual([200, 404, 499, 'failed', ''].map((status) => of({ status })), [null, null, null, null, null]);
});

test('a type that is named so is an error', () => {
  assert.deepEqual(['error', 'ERROR', 'app.error', 'PaymentError', 'unhandled_exception', 'errors'].map(severityOfType), Array(6).fill('error'));
  assert.deepEqual(['warnings', 'disk_warning'].map(severityOfType), ['warning', 'warning']);
  assert.deepEqual(['checkout', 'terror', 'mirror', 'errorless', 'alerts'].map(severityOfType), Array(5).fill(null));
  assert.equal(of({}, 'error'), 'error');
});

test('only the first that is there decides', () => {
  assert.equal(of({ status: 500, level: 'info' }), null);
  assert.equal(of({ severity: 'error', level: 'debug' }), null);
  assert.equal(of({ detected_level: 'error', severity: 6 }), null);
  assert.equal(of({ level: 'notice' }, 'error'), null);
  assert.equal(of({ level: null, severity: '', status: 500 }), 'error');
  assert.equal(of({ level: { name: 'info' }, status: 503 }), 'error');
});

test('payloads that are no objects have the severity of their type', () => {
  for (const data of ['error', null, 500, ['error'], true]) {
    assert.equal(of(data), null);
    assert.equal(of(data, 'error'), 'error');
  }
});
