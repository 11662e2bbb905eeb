import { expect, test } from 'vitest'
import { namesOneHost } from './names-one-host.ts'

test.each([
  ['one host', ['Accept', 'host', 'Host', 'a.example:8080'], '/', true],
  ['no host', ['Accept', '*/*'], '/', true],
  ['a whole address', ['Host', 'a.example'], 'http://a.example/v/1?x=http://b.example/', true],
  ['two hosts', ['Host', 'a.example', 'host', 'b.example'], '/', false],
  ['the same host twice', ['Host', 'a.example', 'HOST', 'a.example'], '/', false],
  ['another host in the address', ['Host', 'a.example'], 'http://b.example/', false],
])('%s', (_what, rawHeaders, url, expected) => {
  expect(namesOneHost({ rawHeaders, url })).toBe(expected)
})
