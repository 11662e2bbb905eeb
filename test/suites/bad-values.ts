/** A value of every JSON type, and some that look harmless but are not. */
export const oddValues = [
  null,
  true,
  0,
  -1,
  1.5,
  1e21,
  '',
  'text',
  '\u0000',
  [],
  ['x'],
  {},
  { a: 1 },
  [[]],
  'x'.repeat(5000),
]

/** Bodies that no endpoint expects, with the status if it is the same for all endpoints. */
export const oddBodies: readonly (readonly [name: string, body: string, mustBe: number | null])[] = [
  ['broken JSON', '{"name": ', 400],
  ['two values', '{} {}', 400],
  ['a trailing comma', '{"a":1,}', 400],
  ['a comment', '{/* x */}', 400],
  ['NaN', 'NaN', 400],
  ['__proto__', '{"__proto__":{"isSuper":true}}', 400],
  ['a nested __proto__', '{"name":{"__proto__":{"x":1}}}', 400],
  ['constructor.prototype', '{"constructor":{"prototype":{"isSuper":true}}}', 400],
  ['a list', '[]', null],
  ['a list of objects', '[{"name":"x"}]', null],
  ['a number', '5', null],
  ['text', '"text"', null],
  ['true', 'true', null],
  ['null', 'null', null],
  ['nothing', '', null],
  ['the same field twice', '{"idleMs":0,"idleMs":"x"}', null],
  ['a lone surrogate', '{"name":"\\ud800","code":"S1"}', null],
]

/** Bodies that are expensive to parse. */
export const largeBodies: typeof oddBodies = [
  ['ten megabytes', `{"name":"${'x'.repeat(10_000_000)}"}`, 413],
  ['two megabytes of lists in lists', '['.repeat(1_000_000) + ']'.repeat(1_000_000), 413],
  ['half a megabyte of lists in lists', '['.repeat(250_000) + ']'.repeat(250_000), null],
  [
    'half a megabyte of lists in lists in a field',
    `{"name":${'['.repeat(250_000)}${']'.repeat(250_000)}}`,
    null,
  ],
  [
    'a hundred thousand unknown fields',
    `{${Array.from({ length: 50_000 }, (_, at) => `"f${at}":1`).join()}}`,
    null,
  ],
]

/** Invalid and unusual IDs. */
export const oddIds = [
  '0',
  '-1',
  '1e3',
  '1.5',
  '999999999999999999',
  '999999999999999999999',
  '1;drop table lots',
  '%00',
  '\u0000',
  'null',
  "1'",
  '../1',
  ' 1',
  '１',
  'NaN',
  '',
]

/** Queries that every list rejects. */
export const wrongQueries = [
  'page=0',
  'page=-1',
  'page=1.5',
  'page=1e9',
  'page=NaN',
  'page=',
  'page[]=1',
  'page=1&page=2',
  'pageSize=0',
  'pageSize=201',
  'pageSize=NaN',
  'pageSize=Infinity',
  'sort=password',
  'sort=name,;drop',
  'sort=--name',
  'sort=name&sort=code',
  'search=a&search=b',
  'search=%00',
  `search=${'x'.repeat(201)}`,
  '__proto__=1',
  '__proto__[x]=1',
  'constructor=1',
  'toString=1',
  'filter=1',
  'columns=x',
  'customerId=1',
]

/** Queries that a list may accept or reject, but must not fail on. */
export const oddQueries = [
  'search=%25',
  'search=_',
  'search=%5C',
  'search=%27',
  'search=%3B',
  'search=%27%3B--',
  'search=%ED%A0%80',
  'search=%F0%9F%9A%97',
  'search=%D9%85',
  'search=',
  'sort=',
  'sort=,',
  'sort=-name,name',
  `search=${'%25'.repeat(200)}`,
  'page=1000000',
  '',
  '&',
  '=',
  '&&page=1&',
]
